#define __in_flash(group) __attribute__((section(".flashdata." group)))
#define __not_in_flash(group) __attribute__((section(".time_critical." group)))
