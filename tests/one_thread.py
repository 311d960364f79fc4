# SPDX-License-Identifier: GPL-2.0-or-later
"""One thread of linear algebra in each test process; pytest loads this before anything else.

Threads of one process wait for those of another, however small the matrix, and the last digit of a
result depends on how many there are.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
