# SPDX-License-Identifier: GPL-2.0-or-later
"""The same last digits on every machine; pytest loads this before anything else.

Golden files hold results of a seed, and where something is drawn by rank or by sign, the last digit
of an eigenvector decides. It depends on how many threads of linear algebra there are, on which of
its kernels OpenBLAS takes for a processor, and on the instructions that NumPy finds there. So tests
run one thread, the kernels that every x86-64 has, and no instructions that some lack, whatever the
machine's own settings say. (Threads of one process besides wait for those of another, however small
the matrix.)
"""

import os

for _name in [name for name in os.environ if name.startswith("OPENBLAS_")]:
    del os.environ[_name]
os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["OPENBLAS_CORETYPE"] = "Prescott"
os.environ["NPY_DISABLE_CPU_FEATURES"] = (
    "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL"
)
