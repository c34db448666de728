from registry import Base


class More(Base):
    pass
