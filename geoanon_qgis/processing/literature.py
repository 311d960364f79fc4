# SPDX-License-Identifier: GPL-2.0-or-later
"""What help pages and reports refer to."""

from __future__ import annotations

from ..report import Reference

ALLSHOUSE = Reference(
    "Allshouse, W. B., Fitch, M. K., Hampton, K. H. et al. (2010). Geomasking sensitive health data "
    "and privacy protection: an evaluation using an E911 database. Geocarto International 25(6), "
    "443–452.",
    "10.1080/10106049.2010.496496",
)
ANDRES = Reference(
    "Andrés, M. E., Bordenabe, N. E., Chatzikokolakis, K. and Palamidessi, C. (2013). "
    "Geo-indistinguishability: differential privacy for location-based systems. CCS '13, 901–914.",
    "10.1145/2508859.2516735",
)
ARMSTRONG = Reference(
    "Armstrong, M. P., Rushton, G. and Zimmerman, D. L. (1999). Geographically masking health data "
    "to preserve confidentiality. Statistics in Medicine 18(5), 497–525.",
    "10.1002/(SICI)1097-0258(19990315)18:5<497::AID-SIM45>3.0.CO;2-#",
)
BRODZIK = Reference(
    "Brodzik, M. J., Billingsley, B., Haran, T., Raup, B. and Savoie, M. H. (2012). EASE-Grid 2.0: "
    "incremental but significant improvements for Earth-gridded data sets. ISPRS International "
    "Journal of Geo-Information 1(1), 32–45.",
    "10.3390/ijgi1010032",
)
BURGERT = Reference(
    "Burgert, C. R., Colston, J., Roy, T. and Zachary, B. (2013). Geographic displacement procedure "
    "and georeferenced data release policy for the Demographic and Health Surveys. DHS Spatial "
    "Analysis Reports 7. ICF International.",
)
CARLSON = Reference(
    "Carlson, M. (2002). Assessing microdata disclosure risk using the Poisson-inverse Gaussian "
    "distribution. Statistics in Transition 5(6), 901–925.",
)
CASSA = Reference(
    "Cassa, C. A., Grannis, S. J., Overhage, J. M. and Mandl, K. D. (2006). A context-sensitive "
    "approach to anonymizing spatial surveillance data: impact on outbreak detection. Journal of "
    "the American Medical Informatics Association 13(2), 160–165.",
    "10.1197/jamia.M1920",
)
CREMER = Reference(
    "Cremer, S., Jehmlich, L. and Lenz, R. (2025). Extension of spatial k-anonymity: new metrics "
    "for assessing the anonymity of geomasked data considering realistic attack scenarios. arXiv.",
    "https://arxiv.org/abs/2509.07505",
)
CROFT = Reference(
    "Croft, W. L., Shi, W., Sack, J.-R. and Corriveau, J.-P. (2015). A novel geographic "
    "partitioning system for anonymizing health care data. arXiv.",
    "https://arxiv.org/abs/1505.06939",
)
DOMINGO_FERRER = Reference(
    "Domingo-Ferrer, J. and Torra, V. (2005). Ordinal, continuous and heterogeneous k-anonymity "
    "through microaggregation. Data Mining and Knowledge Discovery 11(2), 195–212.",
    "10.1007/s10618-005-0007-5",
)
DUQUE = Reference(
    "Duque, J. C., Anselin, L. and Rey, S. J. (2012). The max-p-regions problem. Journal of "
    "Regional Science 52, 397–419.",
    "10.1111/j.1467-9787.2011.00743.x",
)
EL_EMAM = Reference(
    "El Emam, K., Brown, A. and AbdelMalik, P. (2009). Evaluating predictors of geographic area "
    "population size cut-offs to manage re-identification risk. Journal of the American Medical "
    "Informatics Association 16, 256–266.",
    "10.1197/jamia.M2902",
)
GARWOOD = Reference(
    "Garwood, F. (1936). Fiducial limits for the Poisson distribution. Biometrika 28, 437–442.",
    "10.1093/biomet/28.3-4.437",
)
GIOMI = Reference(
    "Giomi, M., Boenisch, F., Wehmeyer, C. and Tasnádi, B. (2023). A unified framework for "
    "quantifying privacy risk in synthetic data. Proceedings on Privacy Enhancing Technologies "
    "2023(2), 312–328.",
    "10.56553/popets-2023-0055",
)
GIONIS_TASSA = Reference(
    "Gionis, A. and Tassa, T. (2009). k-Anonymization with minimal loss of information. IEEE "
    "Transactions on Knowledge and Data Engineering 21(2), 206–219.",
    "10.1109/TKDE.2008.129",
)
HAMPTON = Reference(
    "Hampton, K. H., Fitch, M. K., Allshouse, W. B. et al. (2010). Mapping health data: improved "
    "privacy protection with donut method geomasking. American Journal of Epidemiology 172(9), "
    "1062–1069.",
    "10.1093/aje/kwq248",
)
HOSHINO = Reference(
    "Hoshino, N. (2001). Applying Pitman's sampling formula to microdata disclosure risk "
    "assessment. Journal of Official Statistics 17(4), 499–520.",
)
ISGP = Reference(
    "Schnell, R., Klingwort, J. and Farrow, J. M. (2021). Locational privacy-preserving distance "
    "computations with intersecting sets of randomly labeled grid points. International Journal of "
    "Health Geographics 20, 14.",
    "10.1186/s12942-021-00268-y",
)
KARR = Reference(
    "Karr, A. F., Kohnen, C. N., Oganian, A., Reiter, J. P. and Sanil, A. P. (2006). A framework for "
    "evaluating the utility of data altered to protect confidentiality. The American Statistician "
    "60(3), 224–232.",
    "10.1198/000313006X124640",
)
KOUNADI_LEITNER = Reference(
    "Kounadi, O. and Leitner, M. (2016). Adaptive areal elimination (AAE): a transparent way of "
    "disclosing protected spatial datasets. Computers, Environment and Urban Systems 57, 59–67.",
    "10.1016/j.compenvurbsys.2016.01.004",
)
KELLY = Reference(
    "Kelly, J. P., Golden, B. L. and Assad, A. A. (1992). Cell suppression: disclosure protection for "
    "sensitive tabular data. Networks 22(4), 397–417.",
    "10.1002/net.3230220407",
)
KROLL = Reference(
    "Kroll, M. (2015). A graph theoretic linkage attack on microdata in a metric space. "
    "Transactions on Data Privacy 8, 217–243.",
)
KROLL_SCHNELL = Reference(
    "Kroll, M. and Schnell, R. (2016). Anonymisation of geographical distance matrices via "
    "Lipschitz embedding. International Journal of Health Geographics 15, 1.",
    "10.1186/s12942-015-0031-7",
)
KULLDORFF = Reference(
    "Kulldorff, M. (1997). A spatial scan statistic. Communications in Statistics: Theory and "
    "Methods 26(6), 1481–1496.",
    "10.1080/03610929708831995",
)
KWAN = Reference(
    "Kwan, M.-P., Casas, I. and Schmitz, B. C. (2004). Protection of geoprivacy and accuracy of "
    "spatial information: how effective are geographical masks? Cartographica 39(2), 15–28.",
    "10.3138/X204-4223-57MK-8273",
)
LASKO_VINTERBO = Reference(
    "Lasko, T. A. and Vinterbo, S. A. (2010). Spectral anonymization of data. IEEE Transactions "
    "on Knowledge and Data Engineering 22(3), 437–446.",
    "10.1109/TKDE.2009.88",
)
LI_CLOSENESS = Reference(
    "Li, N., Li, T. and Venkatasubramanian, S. (2007). t-closeness: privacy beyond k-anonymity and "
    "l-diversity. IEEE 23rd International Conference on Data Engineering, 106–115.",
    "10.1109/ICDE.2007.367856",
)
MACHANAVAJJHALA = Reference(
    "Machanavajjhala, A., Kifer, D., Gehrke, J. and Venkitasubramaniam, M. (2007). l-diversity: "
    "privacy beyond k-anonymity. ACM Transactions on Knowledge Discovery from Data 1(1), 3.",
    "10.1145/1217299.1217302",
)
MOEHLER = Reference(
    "Moehler, J. (2023). On the reversibility of Voronoi geomasking. Blog post with R code.",
)
MURALIDHAR_SARATHY = Reference(
    "Muralidhar, K. and Sarathy, R. (2006). Data shuffling: a new masking approach for numerical "
    "data. Management Science 52(5), 658–670.",
    "10.1287/mnsc.1050.0503",
)
POLZIN = Reference(
    "Polzin, F. and Kounadi, O. (2021). Adaptive Voronoi masking: a method to protect confidential "
    "discrete spatial data. GIScience 2021, LIPIcs 208, II, 1:1–1:17.",
    "10.4230/LIPIcs.GIScience.2021.II.1",
)
SEIDL = Reference(
    "Seidl, D. E., Paulus, G., Jankowski, P. and Regenfelder, M. (2015). Spatial obfuscation "
    "methods for privacy protection of household-level data. Applied Geography 63, 253–263.",
    "10.1016/j.apgeog.2015.07.001",
)
SKINNER_ELLIOT = Reference(
    "Skinner, C. J. and Elliot, M. J. (2002). A measure of disclosure risk for microdata. Journal "
    "of the Royal Statistical Society B 64(4), 855–867.",
    "10.1111/1467-9868.00365",
)
SNOKE = Reference(
    "Snoke, J., Raab, G. M., Nowok, B., Dibben, C. and Slavkovic, A. (2018). General and specific "
    "utility measures for synthetic data. Journal of the Royal Statistical Society A 181(3), "
    "663–688.",
    "10.1111/rssa.12358",
)
SPRUILL = Reference(
    "Spruill, N. L. (1983). The confidentiality and analytic usefulness of masked business "
    "microdata. Proceedings of the Section on Survey Research Methods, American Statistical "
    "Association, 602–607.",
)
SWANLUND = Reference(
    "Swanlund, D., Schuurman, N., Zandbergen, P. and Brussoni, M. (2020). Street masking: a "
    "network-based geographic mask for easily protecting geoprivacy. International Journal of "
    "Health Geographics 19, 26.",
    "10.1186/s12942-020-00219-z",
)
SWEENEY = Reference(
    "Sweeney, L. (2002). k-anonymity: a model for protecting privacy. International Journal of "
    "Uncertainty, Fuzziness and Knowledge-Based Systems 10(5), 557–570.",
    "10.1142/S0218488502001648",
)
THALER = Reference(
    "Thaler, D. G. and Ravishankar, C. V. (1998). Using name-based mappings to increase hit rates. "
    "IEEE/ACM Transactions on Networking 6(1), 1–14.",
    "10.1109/90.663936",
)
ZANDBERGEN = Reference(
    "Zandbergen, P. A. (2014). Ensuring confidentiality of geocoded health data: assessing "
    "geographic masking strategies for individual-level data. Advances in Medicine 2014, 567049.",
    "10.1155/2014/567049",
)
ZHANG = Reference(
    "Zhang, S., Freundschuh, S. M., Lenzer, K. and Zandbergen, P. A. (2017). The location swapping "
    "method for geomasking. Cartography and Geographic Information Science 44(1), 22–34.",
    "10.1080/15230406.2015.1095655",
)
