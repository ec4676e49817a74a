"""The nearest other point of each point; of several the first."""

import numpy as np

ROWS = 64  # points at a time: few enough for memory at any N


def _first_least(distances, count):
    """For each point the first other one at the least distance, by distances(start, stop)."""
    found = np.empty(count, dtype=np.int64)
    for start in range(0, count, ROWS):
        some = distances(start, min(start + ROWS, count))  # rows start to stop, from every point
        rows = np.arange(len(some))
        some[rows, start + rows] = np.inf  # not the point itself
        found[start : start + ROWS] = np.argmin(some, axis=1)
    return found


def _nearest(points):
    """By |b|^2 - 2ab, the squared distance less the |a|^2 of a row: whole numbers, so exact."""
    left = np.hstack([-2.0 * points, np.ones((len(points), 1))])
    right = np.hstack([points, np.sum(points * points, axis=1, keepdims=True)]).T.copy()
    return _first_least(lambda start, stop: left[start:stop] @ right, len(points))


def _by_coordinates(points):
    """The same with the sum of the coordinates' differences as the distance."""

    def distances(start, stop):
        return np.sum(np.abs(points[start:stop, None, :] - points[None, :, :]), axis=-1)

    return _first_least(distances, len(points))


def reference(arrays, sizes, scalars):
    return {"indices": _nearest(arrays["points"])}


def wrong(arrays, sizes, scalars):
    points = arrays["points"]
    count = len(points)
    return {
        "each point as its own neighbour": {"indices": np.arange(count)},
        "the last of several nearest points": {"indices": count - 1 - _nearest(points[::-1])[::-1]},
        "the sum of the coordinates' differences as the distance": {
            "indices": _by_coordinates(points)
        },
    }
