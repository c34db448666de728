"""A namespace of ElementTree is registered by main."""

import multiprocessing
import sys
import xml.etree.ElementTree as ET


def written(name):
    return ET.tostring(ET.Element("{http://a.example}" + name)).decode()


def main(method):
    ET.register_namespace("a", "http://a.example")
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(written, ["leaf"]))


if __name__ == "__main__":
    main(sys.argv[1])
