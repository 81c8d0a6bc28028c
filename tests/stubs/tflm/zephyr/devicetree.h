#define DT_NODELABEL(label) label
