"""The folder that is put on the path of the program that is probed: the standard library is all that it needs."""
