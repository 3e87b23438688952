import base64
import contextlib
import datetime
import hashlib
import heapq
import itertools
import json
import math
import re
import struct
import time
import typing
import zlib

