# SPDX-License-Identifier: GPL-2.0-or-later
"""Microdata: tables whose attributes identify by combination, anonymised and measured.

After Lasko & Vinterbo (2010), Spectral anonymization of data, IEEE TKDE 22(3): 437-446.
"""
