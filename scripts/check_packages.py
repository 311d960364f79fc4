# SPDX-License-Identifier: GPL-2.0-or-later
"""Prove that NumPy, SciPy, numba, GDAL and QGIS work in one process; print their versions."""

import warnings

# A SciPy or GDAL compiled against another NumPy says so in a warning, or fails here.
warnings.simplefilter("error", UserWarning)

import numba  # noqa: E402
import numpy  # noqa: E402
import scipy  # noqa: E402
import shapely  # noqa: E402
from osgeo import gdal, gdal_array  # noqa: E402
from scipy.spatial import cKDTree  # noqa: E402

warnings.simplefilter("ignore")
from qgis.core import Qgis, QgsPointXY  # noqa: E402


@numba.njit
def total(values):
    """Return the sum of ``values``: something for the compiler to do."""
    result = 0.0
    for value in values:
        result += value
    return result


points = numpy.array([[0.0, 0.0], [3.0, 4.0]])
distances, _ = cKDTree(points).query(points, k=2)
assert distances[0, 1] == 5.0
assert total(distances[:, 1]) == 10.0
assert shapely.points(points)[1].x == QgsPointXY(3, 4).x()
assert gdal_array.OpenArray(points).ReadAsArray()[1, 1] == 4.0

print(
    f"QGIS {Qgis.QGIS_VERSION}, GDAL {gdal.__version__}, NumPy {numpy.__version__}, "
    f"SciPy {scipy.__version__}, numba {numba.__version__}, Shapely {shapely.__version__}"
)
