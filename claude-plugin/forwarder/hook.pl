#!/usr/bin/env perl
# agent-bridge forwarder: hands one hook of a coding agent to the bridge and gets out of its way.
#
#   hook.pl AGENT [HOOK_TYPE] < the agent's own JSON
#
# It ends with 0 whatever happens (2 would block the agent), within its timeout, with at most one line on
# stderr, and with nothing on stdout but a verdict of the bridge. A hook that could not be delivered waits in
# <home>/spool. It loads no module, not even strict: starting Perl is most of what a hook costs, and modules
# double it. bin/hook.js does the same where there is no Perl; test/conformance/forwarder holds the two equal.
#
# Settings, the environment first: BRIDGE_HOME (~/.bridge), then BRIDGE_URL, BRIDGE_TOKEN and
# BRIDGE_HOOK_TIMEOUT_MS or url, token and timeout_ms of <home>/forward, which the daemon writes.
# An https address, a host name or IPv6 needs what Perl has only in modules: hook.js takes over then.

my $bsd = $^O ne 'linux';
my ($EINTR, $EAGAIN, $EINPROGRESS) = (4, $bsd ? (35, 36) : (11, 115));
my ($F_SETFL, $O_NONBLOCK) = (4, $bsd ? 0x4 : 0x800);
my $CREATE_NEW = 0x1 | ($bsd ? 0x200 | 0x800 : 0x40 | 0x80);

my $DEFAULT_TIMEOUT_MS = 500;       # seed agent-bridge-readme, BRIDGE_HOOK_TIMEOUT_MS
my $MAX_TIMEOUT_MS     = 50_000;    # below the timeout that the wiring gives the agent
my $LEAST_READ_MS      = 50;        # for stdin when starting took all the time
my $LEAST_POST_MS      = 100;       # left for the POST when stdin took all the time
my $SAVE_AFTER_MS      = 25;        # a healthy bridge answers in two; from here on a kill could lose the hook
my $MAX_BODY_BYTES     = 1_000_000; # what the bridge takes; beyond it answers 413 and keeps the beginning
my $MAX_STDIN_BYTES    = 64 << 20;
my $REDUCED_BYTES      = 64 << 10;
my $RAW_BYTES          = 10 << 10;
my $MAX_SPOOL_FILES    = 10_000;
my $MAX_SPOOL_BYTES    = 64 << 20;

my ($clock, $started, $stopped, $complained);
my $scan = {};

$SIG{__WARN__} = sub { };
$SIG{PIPE} = 'IGNORE';
$SIG{$_} = sub { $stopped = 1 } for qw(TERM INT HUP);
$SIG{ALRM} = sub { exit 0 };
umask 077;
binmode $_ for *STDIN, *STDOUT, *STDERR; # PERL_UNICODE may have put layers on them

eval { main(); 1 } or complain('the forwarder failed: ' . printable($@ =~ s/\s+\z//r));
exit 0;

sub main {
    set_clock();
    $started = now();
    my ($agent, $type) = @ARGV;
    return complain('usage: hook.pl AGENT [HOOK_TYPE]') unless ($agent // '') =~ /\A[a-z0-9][a-z0-9._-]{0,63}\z/;
    my $home = $ENV{BRIDGE_HOME} || ($ENV{HOME} || (getpwuid $>)[7]) . '/.bridge';
    my %file = read_settings("$home/forward");
    my $url = $ENV{BRIDGE_URL} || $file{url} || 'http://127.0.0.1:8787';
    my $target = parse_url($url);
    if (!$target && $url =~ m{\Ahttps?://}) {
        my ($dir) = $0 =~ m{\A(.*)/};
        for my $node ($file{node} || (), 'node') { exec {$node} $node, '--v8-pool-size=0', ($dir // '.') . '/hook.js', @ARGV }
    }
    # The token of the file goes where the file says or to this machine, wherever BRIDGE_URL points.
    my $trusted = $url eq ($file{url} // '') || $target && $target->{host} =~ /\A127\./;
    my $token = $ENV{BRIDGE_TOKEN} || ($trusted ? $file{token} : '') || '';

    my $timeout = $ENV{BRIDGE_HOOK_TIMEOUT_MS} || $file{timeout_ms} || 0;
    $timeout = $DEFAULT_TIMEOUT_MS unless $timeout =~ /\A[1-9]\d{0,8}\z/;
    $timeout = $MAX_TIMEOUT_MS if $timeout > $MAX_TIMEOUT_MS;
    alarm int($timeout / 1000) + 2; # in case the clock jumps

    return if -t STDIN;
    my $body = read_payload($timeout);
    return if $body eq '';
    if ($body !~ /\A\{/ || length $body <= $MAX_BODY_BYTES && !is_whole(\$body)) {
        $body = '{"raw":' . json_string($body) . '}';
    }

    my $named = $body =~ /"hook_event_name"\s*:\s*"([^"\\]{1,100})"/ ? $1 : undef;
    my $hook = {
        agent => $agent,
        type  => $type // (defined $named ? '' : 'unknown'),
        named => $named,
        id    => sprintf('%d-%d-%06x%06x', $started, $$, rand 1 << 24, rand 1 << 24),
        body  => $body,
    };
    $hook->{source} = [
        [Contact => $ENV{BRIDGE_CONTACT}],
        [Pid     => $ENV{CLAUDE_PID}],
        [Pane    => $ENV{TMUX_PANE} && ($ENV{TMUX} || '') =~ /\A([^,]+)/ ? "$1,$ENV{TMUX_PANE}" : ''],
    ];

    my $spool = "$home/spool";
    my $why = !$target ? 'BRIDGE_URL is not an address the forwarder can reach'
        : !$token ? 'no token is set; start the bridge or set BRIDGE_TOKEN'
        : undef;
    my ($outcome, $text) = $why ? ('spool', $why) : post($target, $token, $hook, $spool, $timeout);
    if ($outcome eq 'spool') { $text .= keep($hook, $spool, $home) }
    elsif ($hook->{saved}) { unlink $hook->{saved} }
    if ($outcome eq 'verdict') { syswrite STDOUT, $text }
    elsif ($outcome ne 'sent') { complain($text) }
}

# -- settings ---------------------------------------------------------------------------------------------

sub read_settings {
    my ($path) = @_;
    return unless sysopen my $file, $path, 0;
    binmode $file;
    sysread $file, my $text, 65_536;
    return $text =~ /^(url|token|timeout_ms|node)=(.*?)\r?$/mg;
}

# Only what needs no resolver and no TLS: http to an IPv4 address or to this machine.
sub parse_url {
    my ($host, $port, $path) = $_[0] =~ m{\Ahttp://(localhost|\d+\.\d+\.\d+\.\d+)(?::(\d{1,5}))?(/[!-~]*)?\z} or return;
    $host = '127.0.0.1' if $host eq 'localhost';
    $path //= '';
    $path =~ s{[?#].*}{};
    $path =~ s{/+\z}{};
    my @bytes = split /\./, $host;
    return if grep { $_ > 255 } @bytes;
    $port //= 80;
    return { host => $host, port => $port, path => $path, ip => pack 'C4', @bytes };
}

# -- stdin ------------------------------------------------------------------------------------------------

# Whatever came until stdin ended, a whole JSON value was there, or time was up. Agents have left the pipe
# open, so the end of the value is an end too.
sub read_payload {
    my ($timeout) = @_;
    my $body = '';
    my $overflow;
    my $least = now() + $LEAST_READ_MS;
    while (!$stopped) {
        if (!readable(0, 0)) {
            last if substr($body, -64) =~ /\}\s*\z/ && is_whole(\$body);
            # Silence is given up earlier, so that the whole run stays within the timeout.
            my $until = $started + $timeout * ($body eq '' ? 0.8 : 1);
            my $left = ($until < $least ? $least : $until) - now();
            last if $left <= 0 || readable(0, $left) < 0;
            next;
        }
        my $kept = length $body < $MAX_STDIN_BYTES;
        my $got = $kept ? sysread STDIN, $body, 262_144, length $body : sysread STDIN, $overflow, 262_144;
        next if !defined $got && ($! == $EINTR || $! == $EAGAIN);
        last unless $got;
        last if now() - $started > $timeout;
    }
    $body =~ s/\A\xEF\xBB\xBF//;
    $body =~ s/\A\s+//;
    $scan = {};
    return $body;
}

# Whether the text is one JSON object: its brackets and strings close, and nothing follows. Goes on where the
# last call stopped; whether what stands between is JSON is for the bridge to judge.
sub is_whole {
    my ($text) = @_;
    my ($depth, $in_string) = ($scan->{depth} // 0, $scan->{in_string});
    pos($$text) = $scan->{at} // 0;
    until ($scan->{end}) {
        if ($in_string) {
            # In steps: a quantifier of a group ends silently after 65,535 rounds.
            my $before = pos $$text;
            $$text =~ /\G[^"\\]*+(?:\\.[^"\\]*+){0,1000}+/gcs;
            if ($$text =~ /\G"/gc) { $in_string = 0 }
            elsif (pos $$text == $before) { last }
        }
        elsif ($$text =~ /\G[^{}\[\]"]*+(?:([{\[])|([}\]])|")/gc) {
            if ($1) { $depth++ }
            elsif ($2) { $scan->{end} = pos $$text if --$depth <= 0 }
            else { $in_string = 1 }
        }
        else { last }
    }
    @$scan{qw(at depth in_string)} = (pos $$text, $depth, $in_string);
    return 0 unless $scan->{end};
    pos($$text) = $scan->{end};
    return $$text =~ /\G\s*\z/g;
}

# The beginning of what is not JSON, as a JSON string: UTF-8 where it is that, else byte by byte.
sub json_string {
    my $text = substr $_[0], 0, $RAW_BYTES;
    $text =~ s/(?:[\xC2-\xDF]|[\xE0-\xEF][\x80-\xBF]?|[\xF0-\xF4][\x80-\xBF]{0,2})\z// if length $_[0] > $RAW_BYTES;
    my $copy = $text;
    my $escape = utf8::decode($copy) ? qr/([\x00-\x1F"\\\x7F])/ : qr/([\x00-\x1F"\\\x7F-\xFF])/;
    $text =~ s/$escape/sprintf '\\u%04x', ord $1/ge;
    return "\"$text\"";
}

# -- the bridge -------------------------------------------------------------------------------------------

# sent | verdict, its JSON | refused, why | spool, why
sub post {
    my ($target, $token, $hook, $spool, $timeout) = @_;
    my $name = "http://$target->{host}:$target->{port}";
    my $begun = now();
    my $deadline = $started + $timeout;
    $deadline = $begun + $LEAST_POST_MS if $deadline < $begun + $LEAST_POST_MS;

    my $out = join "\r\n", "POST $target->{path}/hooks/$hook->{agent} HTTP/1.0", # 1.0: no chunks come back
        "Host: $target->{host}:$target->{port}",
        'Authorization: Bearer ' . printable($token),
        'Content-Type: application/json',
        'Content-Length: ' . length $hook->{body},
        "X-Bridge-Hook-Id: $hook->{id}",
        'X-Bridge-Hook-Time: ' . int $started,
        header_lines('X-Bridge-Hook-', [Type => $hook->{type}]),
        header_lines('X-Bridge-', [Contact => $hook->{source}[0][1]], ['Agent-Pid' => $hook->{source}[1][1]],
            [Pane => $hook->{source}[2][1]]),
        '', $hook->{body};

    my $address = $bsd ? pack 'C C n a4 x8', 16, 2, $target->{port}, $target->{ip}
        : pack 'S n a4 x8', 2, $target->{port}, $target->{ip};
    socket my $socket, 2, 1, 6 or return (spool => "no socket ($!)");
    binmode $socket;
    fcntl $socket, $F_SETFL, $O_NONBLOCK;
    connect $socket, $address or $! == $EINPROGRESS or return (spool => "$name cannot be reached ($!)");

    my ($sent, $in, $problem) = (0, '', 'closed the connection');
    my $fd = fileno $socket;
    while (1) {
        my $now = now();
        if ($stopped || $now >= $deadline) { $problem = 'did not answer in time'; last }
        if (!exists $hook->{saved} && $now - $begun >= $SAVE_AFTER_MS) { $hook->{saved} = save($hook, $spool) }
        my $until = exists $hook->{saved} ? $deadline : $begun + $SAVE_AFTER_MS;
        $until = $deadline if $until > $deadline;
        my ($r, $w) = ('', '');
        vec($r, $fd, 1) = 1;
        vec($w, $fd, 1) = 1 if $sent < length $out;
        my $wait = ($until - $now) / 1000;
        next if select($r, $w, undef, $wait < 0.001 ? 0.001 : $wait) <= 0;
        if (vec $r, $fd, 1) {
            my $got = sysread $socket, $in, 65_536, length $in;
            if (!defined $got) {
                next if $! == $EAGAIN || $! == $EINTR;
                $problem = "cannot be reached ($!)";
            }
            last if !$got || is_answered(\$in);
        }
        elsif (vec $w, $fd, 1) {
            my $put = syswrite $socket, $out, 262_144, $sent;
            if (defined $put) { $sent += $put }
            elsif ($! != $EAGAIN && $! != $EINTR) {
                # Refused, or the bridge had enough: what it may have answered is still to be read.
                $problem = "cannot be reached ($!)";
                $sent = length $out;
            }
        }
    }
    my ($status, $json) = read_answer($in);
    return 'sent' if $status =~ /\A2/ && $status != 200;
    return $json eq '' ? 'sent' : (verdict => $json) if $status == 200 && defined $json;
    return (refused => "$name refused the hook with $status") if $status =~ /\A4/;
    return (spool => "$name answered $status") if $status;
    return (spool => "$name $problem");
}

# Enough to decide: any status but 200 by itself, 200 with its body.
sub is_answered {
    my ($in) = @_;
    return 1 if length $$in > $MAX_BODY_BYTES;
    return 0 unless $$in =~ m{\AHTTP/1\.\d (\d{3})[^\n]*\n};
    return 1 if $1 != 200;
    return 0 unless $$in =~ /\r?\n\r?\n/;
    my ($start, $head) = ($+[0], substr $$in, 0, $-[0]);
    return $head =~ /^Content-Length:\s*(\d+)/mi && length($$in) - $start >= $1;
}

# The status, 0 when there is none; with 200 the body of a JSON answer, empty when it is not whole.
sub read_answer {
    my ($in) = @_;
    return 0 unless $in =~ m{\AHTTP/1\.\d (\d{3})[^\n]*\n};
    my $status = $1;
    return $status unless $status == 200 && $in =~ /\A(.*?)\r?\n\r?\n(.*)\z/s;
    my ($head, $body) = ($1, $2);
    return $status unless $head =~ m{^Content-Type:\s*application/json\b}mi;
    my $short = $head =~ /^Content-Length:\s*(\d+)/mi && length $body < $1;
    $scan = {};
    return ($status, !$short && $body =~ /\A\s*\{/ && is_whole(\$body) ? $body : '');
}

# -- the spool --------------------------------------------------------------------------------------------

# Writes the hook beside the ones that wait; `.tmp` until it is known that the bridge did not take it.
sub save {
    my ($hook, $spool) = @_;
    my $body = $hook->{body};
    my $reduced = length $body > $MAX_BODY_BYTES;
    $body = substr $body, 0, $REDUCED_BYTES if $reduced;
    my $text = join "\n", header_lines('', [Agent => $hook->{agent}],
        ['Hook-Type' => $hook->{type} || ($reduced ? $hook->{named} : '')], [Id => $hook->{id}],
        [Time => int $started], @{$hook->{source}}, [Length => length $body], $reduced ? [Truncated => 'true'] : ()),
        '', $body;
    # The size stands in the name, so that counting the spool needs no look at each file.
    my $path = "$spool/$hook->{id}." . length($text) . '.tmp';
    my $file;
    sysopen $file, $path, $CREATE_NEW, 0600
        or mkdir($spool, 0700) && sysopen $file, $path, $CREATE_NEW, 0600
        or return;
    binmode $file;
    my $written = syswrite $file, $text;
    return $path if close($file) && $written == length $text;
    unlink $path;
    return;
}

# Leaves the hook for the next look of the daemon; returns what to add to the line on stderr.
sub keep {
    my ($hook, $spool, $home) = @_;
    return ', so the hook was dropped: there is no ' . printable($home) unless -d $home;
    my ($files, $bytes) = (0, 0);
    if (opendir my $dir, $spool) {
        for (readdir $dir) { $files++, $bytes += $1 if /\.(\d+)\.(?:hook|tmp)\z/ }
    }
    my $size = length $hook->{body} > $MAX_BODY_BYTES ? $REDUCED_BYTES : length $hook->{body};
    if ($files - ($hook->{saved} ? 1 : 0) >= $MAX_SPOOL_FILES || $bytes + ($hook->{saved} ? 0 : $size) > $MAX_SPOOL_BYTES) {
        unlink $hook->{saved} if $hook->{saved};
        return ' and the spool is full, so the hook was dropped';
    }
    my $saved = $hook->{saved} || save($hook, $spool) or return " and the hook could not be spooled ($!)";
    (my $final = $saved) =~ s/tmp\z/hook/;
    return rename($saved, $final) ? '; the hook waits in the spool' : " and the hook could not be spooled ($!)";
}

# -- small things -----------------------------------------------------------------------------------------

sub header_lines {
    my ($prefix, @pairs) = @_;
    return map { defined $_->[1] && $_->[1] ne '' ? "$prefix$_->[0]: " . printable($_->[1]) : () } @pairs;
}

sub printable {
    my $text = substr $_[0], 0, 1024;
    $text =~ s/[^ -~]/?/g;
    return $text;
}

sub complain { syswrite STDERR, "agent-bridge: $_[0]\n" unless $complained++ }

# 1: there is something to read; 0: not yet; -1: there never will be.
sub readable {
    my ($fd, $wait_ms) = @_;
    my $r = '';
    vec($r, $fd, 1) = 1;
    my $ready = select $r, undef, undef, $wait_ms / 1000;
    return $ready < 0 && $! == $EINTR ? 0 : $ready;
}

# Perl alone knows only seconds, and Time::HiRes costs 1.4 ms; on the two usual Linux machines the system is
# asked directly.
sub set_clock {
    if (!$bsd && sysopen my $exe, '/proc/self/exe', 0) {
        binmode $exe;
        sysread $exe, my $head, 20;
        $clock = { 0x3E => 96, 0xB7 => 169 }->{unpack 'x18 S', $head}; # gettimeofday of x86_64 and aarch64
    }
    $clock ||= eval { require Time::HiRes } ? 0 : -1;
}

sub now {
    return $clock < 0 ? 1000 * time : 1000 * Time::HiRes::time() if $clock <= 0;
    my $time = "\0" x 16;
    syscall $clock, $time, 0;
    my ($seconds, $micros) = unpack 'l! l!', $time;
    return $seconds * 1000 + $micros / 1000;
}
