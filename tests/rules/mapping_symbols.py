"""The object files of mapping/ ask the system for nothing: no file, socket, thread, clock, environment, randomness."""

import re
import subprocess
import sys

# (protobuf brings <iostream> along: that its streams are initialised is no use of them.)
# What an object file would have to call, by the name that the linker sees (C) or a person reads (C++).
FORBIDDEN = re.compile(
    r"^(?:__(?:isoc\d+_)?(?=\w+(?:_chk|_2)\b))?(?:"  # as fortified calls are named
    r"open(?:64|at)?|creat|read|write|pread(?:64)?|pwrite(?:64)?|lseek(?:64)?|f(?:d)?open(?:64)?|freopen|fread|fwrite|fputs|"
    r"puts|putchar|fputc|putc|fgets|fgetc|getc|getline|v?f?printf|fflush|mmap(?:64)?|stat(?:64)?|fstat(?:64)?|lstat(?:64)?|opendir|readdir(?:64)?|access|unlink|"
    r"rename|mkdir|remove|tmpfile|mkstemp|pipe|dup2?|ioctl|fcntl|"
    r"socket|connect|bind|listen|accept4?|send(?:to|msg)?|recv(?:from|msg)?|getaddrinfo|gethostbyname|poll|select|epoll_\w+|"
    r"pthread_create|pthread_cond_\w+|sem_\w+|fork|vfork|exec\w+|posix_spawn\w*|system|popen|"
    r"time|gettimeofday|clock|clock_gettime|clock_nanosleep|nanosleep|usleep|sleep|localtime(?:_r)?|mktime|tzset|setlocale|signal|sigaction|"
    r"getenv|secure_getenv|setenv|putenv|"
    r"rand(?:_r)?|srand|random|srandom|getrandom|getentropy|arc4random\w*|syscall|"
    r"std::thread::.*|std::this_thread::.*|std::condition_variable.*|std::random_device::.*|std::__basic_file<.*|"
    r"std::basic_(?:i|o)?fstream<.*|std::basic_filebuf<.*|std::c(?:out|err|log|in)|"
    r"std::filesystem::.*|std::chrono::_V2::\w+_clock::now\(\)|absl::Now\(\)|absl::LoadTimeZone.*|"
    r"google::protobuf::io::File\w+Stream::.*|google::LogMessage.*"
    r")(?:_chk|_2)?(?:@.*)?$")


def undefined(archive):
    """(object file, symbol) for each symbol that an object file of the archive needs from elsewhere."""
    text = subprocess.run(["nm", "--undefined-only", "--demangle", archive], check=True, capture_output=True,
                          text=True).stdout
    current = ""
    for line in text.splitlines():
        if line.endswith(":"):
            current = line[:-1]
        elif line.strip():
            yield current, line.split(None, 1)[1]


def main():
    symbols = list(undefined(sys.argv[1]))
    objects = {name for name, _ in symbols}
    faults = [(name, symbol) for name, symbol in symbols if FORBIDDEN.match(symbol)]
    for name, symbol in faults:
        print(f"{name}: mapping is pure and may not use {symbol}")
    # A pattern that matches nothing would be silent: these are names as nm prints them.
    for known in ("clock_gettime@GLIBC_2.17", "__read_chk@GLIBC_2.4", "__printf_chk", "__vfprintf_chk", "std::thread::join()", "getenv", "std::chrono::_V2::system_clock::now()"):
        assert FORBIDDEN.match(known), known
    print(f"{len(objects)} object files, {len(symbols)} symbols, {len(faults)} faults")
    sys.exit(1 if faults or len(objects) < 10 else 0)


main()
