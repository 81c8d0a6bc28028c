#define Z_GENERIC_SECTION(name) __attribute__((section(".zephyr")))
