"""What our own challenges, kept to test the judge, begin with: a name, and how near is right."""


class ChallengeBase:
    """Takes what it is told, or leaves it to attributes of the class, as newer challenges do."""

    def __init__(self, device="cuda", **said):
        self.device = device
        for name, value in said.items():
            setattr(self, name, value)
