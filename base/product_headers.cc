// The unit of the headers that are compiled once (cmake/FensiTargets.cmake).
