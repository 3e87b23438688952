"""All figures, in the order of their names."""
from . import fuzzing, killed, linked, memory, registers, simulation, soak, staleness, upserts

FIGURES = tuple(sorted((each.FIGURE for each in (fuzzing, killed, linked, memory, registers, simulation, soak, staleness, upserts)),
                       key=lambda figure: figure.name))
