# SPDX-License-Identifier: GPL-2.0-or-later
"""How a table is anonymised and decoded: the names that users choose by."""

#: Methods, by the names that users choose them by.
(
    SPECTRAL_SWAPPING,
    SPECTRAL_RHS,
    CELL_SWAPPING,
    RHS,
    DATA_SHUFFLING,
    ADDITIVE_NOISE,
    MICROAGGREGATION,
    GAUSSIAN_COPULA,
) = METHODS = (
    "spectral_swapping",
    "spectral_rhs",
    "cell_swapping",
    "rhs",
    "data_shuffling",
    "additive_noise",
    "microaggregation",
    "gaussian_copula",
)
#: Methods that permute values as they are: nothing is decoded, categories stay categories.
PERMUTE = (CELL_SWAPPING, DATA_SHUFFLING)
#: How coded numbers become values again.
CALIBRATED, AS_PUBLISHED, CLOSELY = DECODINGS = (
    "calibrated",
    "as_published",
    "calibrated_closely",
)
#: Methods that make each released record from one original.
CORRESPOND = (SPECTRAL_RHS, RHS, ADDITIVE_NOISE, MICROAGGREGATION)
#: Methods that average groups of records.
GROUP = (SPECTRAL_RHS, RHS, MICROAGGREGATION)
