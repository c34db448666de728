"""What runs inside of a program that is probed. Python 3.8 or newer, nothing but the standard library.

It is imported in two ways: as a top-level package by the interpreter of the program, whose path leads to the folder
above, and as a part of lintpickle where lintpickle is installed. So its modules import one another relatively.
"""
