"""An S3 server for tests: OpenStack Swift with its s3api, from Debian's packages, all four servers in this one process. Needs an empty folder whose file system has extended attributes.

    server.py FOLDER    prints {"port": …} when it is ready; ends when its standard input closes.
"""
import json
import os
import sys

import eventlet
from swift.common import utils

utils.eventlet_monkey_patch()

from eventlet import wsgi
from swift.common.ring import RingBuilder
from swift.common.wsgi import SwiftHttpProtocol, loadapp

folder = os.path.abspath(sys.argv[1])
device = os.path.join(folder, 'devices', 'd1')
os.makedirs(device)

proxy_pipeline = 'catch_errors gatekeeper memcache s3api tempauth copy slo dlo proxy-server'
common = f'swift_dir = {folder}\ndevices = {folder}/devices\nmount_check = false\nuser = root\nlog_level = CRITICAL\n'
filters = ''.join(f'[filter:{name}]\nuse = egg:swift#{name}\n' for name in ['catch_errors', 'gatekeeper', 'memcache', 'copy', 'slo', 'dlo'])
# Copies of parts are checked by the s3api itself, and the cache would remember buckets that a test has removed: it finds no server here.
proxy_filters = f'''{filters}memcache_servers = 127.0.0.1:1
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
check_bucket_owner = false
[filter:tempauth]
use = egg:swift#tempauth
user_test_writer = testing .admin
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
'''


def config(name, pipeline, rest):
    path = os.path.join(folder, f'{name}.conf')
    with open(path, 'w') as file:
        file.write(f'[DEFAULT]\n{common}[pipeline:main]\npipeline = {pipeline}\n{rest}')
    return path


def ring(name, port):
    builder = RingBuilder(4, 1, 1)
    builder.add_dev({'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': port, 'device': 'd1', 'weight': 1, 'meta': '', 'replication_ip': '127.0.0.1', 'replication_port': port})
    builder.rebalance()
    builder.get_ring().save(os.path.join(folder, f'{name}.ring.gz'))


def serve(listener, app):
    eventlet.spawn(wsgi.server, listener, app, protocol=SwiftHttpProtocol, log_output=False, custom_pool=eventlet.GreenPool(256))


listeners = {name: eventlet.listen(('127.0.0.1', 0), backlog=256) for name in ['account', 'container', 'object', 'proxy']}
for name in ['account', 'container', 'object']:
    ring(name, listeners[name].getsockname()[1])
for name in ['account', 'container', 'object']:
    serve(listeners[name], loadapp(config(name, f'{name}-server', f'[app:{name}-server]\nuse = egg:swift#{name}\n')))
serve(listeners['proxy'], loadapp(config('proxy', proxy_pipeline, proxy_filters)))
print(json.dumps({'port': listeners['proxy'].getsockname()[1]}), flush=True)
eventlet.tpool.execute(sys.stdin.buffer.read)
