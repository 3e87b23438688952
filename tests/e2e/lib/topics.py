"""Topics that are made again."""
import os

from . import stack
from .program import fensi
from .wait import until


def _created(topic, partitions):
    try:
        stack.admin("topic", topic, partitions)
        return True
    except AssertionError as not_yet:
        print(not_yet)
        return False


def create_again(topic, partitions):
    """Kafka forgets a topic a moment after it is deleted, and its brokers tell of the new one a moment after it is created."""
    until("topic %s is created again" % topic, lambda: _created(topic, partitions))
    told = ("tail", topic, "--kafka", os.environ["FENSI_TEST_KAFKA"], "--until_end")
    until("the broker tells of topic " + topic, lambda: fensi(*told).returncode == 0)
