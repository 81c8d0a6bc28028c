#define EXT_RAM_BSS_ATTR __attribute__((section(".ext_ram.bss")))
