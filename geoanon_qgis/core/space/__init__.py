# SPDX-License-Identifier: GPL-2.0-or-later
"""Where things are: planes, metrics, geodesics, neighbours, points and areas."""
