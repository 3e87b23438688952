"""No function of the product is longer than a screen, and nine of ten are short."""

import sys

import sources

LONGEST = 60
MOST_OF_NINE_TENTHS = 20


def main():
    found = [(lines, name, f"{path}:{first}") for path in sources.of_modules()
             for name, first, lines in sources.functions(path)]
    lengths = sorted(lines for lines, _, _ in found)
    ninth = lengths[len(lengths) * 9 // 10] if lengths else 0
    faults = [f"{where}: {name} has {lines} lines; {LONGEST} are the most" for lines, name, where in found if lines > LONGEST]
    if ninth > MOST_OF_NINE_TENTHS:
        faults.append(f"one function of ten has more than {ninth - 1} lines; {MOST_OF_NINE_TENTHS} are the most")
    print(*faults, sep="\n")
    print(f"{len(found)} functions of more than a line, nine of ten have up to {ninth} lines, the longest {max(lengths, default=0)}")
    sys.exit(1 if faults or not found else 0)


main()
