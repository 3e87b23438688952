"""The servers' configuration files. All listen on 127.0.0.1 only."""
import os
from xml.sax.saxutils import escape

from . import extension

LOG4J = """log4j.rootLogger=INFO,console
log4j.appender.console=org.apache.log4j.ConsoleAppender
log4j.appender.console.target=System.err
log4j.appender.console.layout=org.apache.log4j.PatternLayout
log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %-5p [%t] %c{2}: %m%n
log4j.logger.org.apache.zookeeper=WARN
log4j.logger.org.apache.hadoop.metrics2=WARN
log4j.logger.org.apache.hadoop.util.NativeCodeLoader=ERROR
"""


def _site(settings, properties):
    rows = ["  <property><name>%s</name><value>%s</value></property>" % (escape(k), escape(str(v)))
            for k, v in {**properties, **extension.properties(settings.extension)}.items()]
    return '<?xml version="1.0"?>\n<configuration>\n%s\n</configuration>\n' % "\n".join(rows)


def _client(settings):
    return {
        "hbase.zookeeper.quorum": "127.0.0.1",
        "hbase.zookeeper.property.clientPort": settings.ports["zookeeper"],
        "zookeeper.znode.parent": "/hbase",
        # Without these a bad cell or a disabled table holds a call of the gateway for minutes.
        "hbase.client.retries.number": 3,
        "hbase.client.pause": 50,
        # HBase 3 asks the master by default. HBase 2 asks ZooKeeper.
        "hbase.masters": settings.address("master"),
    }


def hbase_site(settings):
    return _site(settings, _hbase(settings))


def _hbase(settings):
    several = settings.regionservers > 1
    properties = _client(settings)
    # In a server of this kind hbase.masters is a number of masters.
    del properties["hbase.client.retries.number"], properties["hbase.client.pause"], properties["hbase.masters"]
    properties.update({
        "hbase.rootdir": "file://" + settings.path("data", "hbase"),
        "hbase.tmp.dir": settings.path("data", "tmp"),
        "hbase.zookeeper.property.dataDir": settings.path("data", "zookeeper"),
        "hbase.zookeeper.property.maxClientCnxns": 0,
        "hbase.cluster.distributed": "false",
        "hbase.unsafe.stream.capability.enforce": "false",
        "hbase.wal.provider": "filesystem",
        "hbase.master.hostname": "localhost",
        "hbase.regionserver.hostname": "localhost",
        "hbase.master.ipc.address": "127.0.0.1",
        "hbase.regionserver.ipc.address": "127.0.0.1",
        "hbase.master.port": settings.ports["master"],
        # Several region servers in one process cannot share a port; they take free ones.
        "hbase.regionserver.port": 0 if several else settings.ports["regionserver"],
        "hbase.master.info.port": -1,
        "hbase.regionserver.info.port": -1,
    })
    properties.update(_quick(settings))
    return properties


def regionserver_site(settings):
    """Of one more region server. Its session is short, so that HBase soon knows when it was killed."""
    properties = _hbase(settings)
    properties.update({
        "hbase.cluster.distributed": "true",
        "hbase.regionserver.port": 0,
        "zookeeper.session.timeout": 6000,
    })
    return _site(settings, properties)


_SMALL = {
    "hbase.hregion.memstore.flush.size": 67108864,
    # It would take 2 MiB of heap for each region that was ever written to, and tests make hundreds of small tables.
    "hbase.hregion.memstore.mslab.enabled": "false",
}


def _quick(settings):
    """What makes starting, table creation and small tests quick, and the placement of regions a matter of the test."""
    return {
        "hbase.master.wait.on.regionservers.mintostart": settings.regionservers,
        "hbase.master.wait.on.regionservers.maxtostart": settings.regionservers,
        "hbase.master.wait.on.regionservers.interval": 100,
        # 10 s by default: a machine that stands still for a moment, or `pause`, would make HBase give itself up.
        "zookeeper.session.timeout.localHBaseCluster": 40000,
        "hbase.procedure.remote.dispatcher.delay.msec": 10,
        "hbase.balancer.period": 86400000,
        "hbase.regionserver.handler.count": 30,
        **({} if settings.large else _SMALL),
        "hbase.regionserver.msginterval": 1000,
        # An edit reaches a replication peer within some 3 ms, and within 0.2 s after a quiet time. On HDFS each look for new
        # edits costs calls of the NameNode; there `fensi capture --plan` recommends more.
        "replication.source.sleepforretries": 1,
        "replication.source.maxretriesmultiplier": 200,
        # The queues of a region server that died are taken over after 1 to 2 s (30 to 60 s by default).
        "replication.sleep.before.failover": 1000,
        # Each region server tells its peers once a second how far its log is: marks of completeness follow from that. A serial
        # peer gets stuck on it.
        "hbase.regionserver.replication.marker.enabled": os.environ.get("FENSI_DEVSTACK_MARKERS", "true"),
        "hbase.regionserver.replication.marker.chore.duration": 1000,
        # HBase tells its peers of bulk loads. Both settings count for masters, too.
        "hbase.replication.bulkload.enabled": "true",
        "hbase.replication.cluster.id": "devstack",
    }


def gateway_site(settings):
    """Also for the admin process: the same patience."""
    properties = _client(settings)
    properties.update({
        "hbase.tmp.dir": settings.path("data", "tmp"),
        "hbase.regionserver.thrift.ipaddress": "127.0.0.1",
        "hbase.regionserver.thrift.port": settings.ports["gateway"],
        "hbase.thrift.info.port": -1,
        # An open connection holds a worker; more connections than workers hang.
        "hbase.thrift.minWorkerThreads": 64,
        "hbase.thrift.maxWorkerThreads": 256,
    })
    return _site(settings, properties)


def kafka_properties(settings):
    broker, controller = settings.address("kafka"), settings.address("controller")
    properties = {
        "process.roles": "broker,controller",
        "node.id": 1,
        "controller.quorum.voters": "1@" + controller,
        "controller.listener.names": "CONTROLLER",
        "listeners": "PLAINTEXT://%s,CONTROLLER://%s" % (broker, controller),
        "advertised.listeners": "PLAINTEXT://" + broker,
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
        "log.dirs": "data/kafka",  # from the stack's folder: a list cannot hold a comma, this file only ASCII
        "auto.create.topics.enable": "false",
        "log.retention.ms": -1,
        "log.index.size.max.bytes": 1048576,
        "offsets.topic.num.partitions": 4,
        "offsets.topic.replication.factor": 1,
        "transaction.state.log.num.partitions": 4,
        "transaction.state.log.replication.factor": 1,
        "transaction.state.log.min.isr": 1,
        "share.coordinator.state.topic.replication.factor": 1,
        "share.coordinator.state.topic.min.isr": 1,
        "group.initial.rebalance.delay.ms": 0,
        "group.min.session.timeout.ms": 1000,
        # A broker that waits for a busy disk is still there; but a restart after kill -9 waits until the old registration
        # has expired.
        "broker.session.timeout.ms": 20000,
    }
    return "".join("%s=%s\n" % item for item in properties.items())
