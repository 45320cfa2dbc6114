import type { Seed } from './sources.ts'

/**
 * The promises of seed `hrdx-plugin-runtime.md`, ids `C:…` (peer plugins). The seed has no headings, so a
 * section is named by its opening words; "X → Y" holds promises of X as `design.md` decides them under Y.
 * Everywhere the TUI of the seed is our daemon. Left out: job objects and file rights of Windows; its rules
 * for names are kept.
 */
export const peerPlugins = {
  'Status: experimental…': {
    'scope.no-auto-restart': 'a plugin that fails is not restarted by itself',
    'scope.no-replay': 'events of the time before a subscription are never replayed',
    'example.hello': 'the reference peer uses the standard library only and works against the host',
  },

  'Plugins are trusted…': {
    'process.cwd': 'a plugin process starts in its package directory',
    'process.uid': 'a plugin process runs as the user of the daemon',
  },
  'Plugins are trusted… → Peer plugins': {
    'process.env': 'HRDX_PLUGIN_* and BRIDGE_PLUGIN_* variables are set side by side',
  },
  'Plugins are trusted… → Event plugins': {
    'process.env-secrets': 'a plugin inherits the environment without bridge tokens and model credentials',
  },

  'Neither manifests nor…': {
    'gate.manifest-grants-nothing': 'a manifest cannot grant a capability or switch a feature on',
    'gate.frame-grants-nothing': 'no frame of a peer grants a capability or switches a feature on',
    'gate.inventory-is-not-approval': 'a valid package without approval is never executed',
    'gate.plain-start': 'a start without the flag neither scans for packages nor runs one',
    'gate.both-needed': 'execution needs an enabled approval and the plugins flag',
    'gate.views-flag': 'floating views need the views flag as well',
  },
  'Neither manifests nor… → Peer plugins': {
    'gate.no-operation-enables': 'flags or the file enable the runtime; no operation can',
  },

  'All host UI mutations…': {
    'dispatch.grant-checked': 'rights and scope are looked up right before a request is carried out',
    'dispatch.generation': 'a request of an ended connection generation has no effect',
    'dispatch.no-internals': 'results hold plain data: no handles, holder frames or stored state',
  },

  'Raw peer stderr…': {
    'privacy.stderr': 'stderr of a peer is drained and thrown away, however much it writes',
    'privacy.logs': 'payloads, terminal contents, environment, argv and stored data never reach a log',
    'privacy.paths': 'inventory and inspect show package and workspace paths, on purpose',
    'privacy.diagnostics': 'a diagnostic is a fixed message with plugin id and lifecycle stage',
  },

  'hrdx plugins list…': {
    'inventory.options': 'list and doctor take --json, --state PATH and repeatable --dir PATH',
    'inventory.passive': 'list and doctor execute nothing, start nothing and need no daemon',
    'inventory.doctor-approvals': 'doctor also checks enabled approvals and the fingerprint of their package',
  },
  'hrdx plugins list… → Peer plugins': {
    'inventory.event-plugins':
      'event plugins are listed apart; their manifests only come from a running daemon',
  },

  'The default root…': {
    'root.default': 'the default root is plugins/ beside the state file',
    'root.empty-state': 'an empty --state leaves the default root out of the inventory',
    'root.immediate': 'packages are the direct subdirectories of a root; nothing deeper is looked at',
    'root.nowhere-else': 'neither the repository nor PATH is searched, and nothing is downloaded',
  },

  'Roots are inspected…': {
    'root.order': 'the default root comes first, then the others as given',
    'root.same-root-once': 'a root given twice, under any path, is read once',
    'root.sorted': 'packages of a root are sorted by name',
    'root.duplicate-ids': 'an id claimed by several packages makes all of them invalid',
    'root.approved-path': 'an approved package is chosen by its exact real path, never shadowed by another',
  },

  'A missing default root…': {
    'root.missing-default': 'a missing default root is no problem',
    'root.missing-explicit': 'a missing explicit root is a diagnostic',
    'root.inaccessible': 'a directory that cannot be read is a diagnostic',
    'root.invalid-package': 'an invalid manifest or unknown version is a diagnostic beside the good packages',
    'root.limit': 'at most 16 roots are accepted',
    'root.entries-limit': 'a root with more than 256 entries is rejected as a whole',
    'root.files-ignored': 'plain files in a root are ignored',
    'root.symlink-entry': 'a symlink in a root is not a package',
    'root.manifest-regular': 'a plugin.json that is no regular file makes its package invalid',
  },

  'Inventory accepts…': {
    'entrypoint.symlink-inventory':
      'the inventory accepts a relative entrypoint symlink that stays in the package',
    'entrypoint.symlink-approval': 'approval rejects a package with any symlink',
    'entrypoint.regular': 'an entrypoint that is not a regular file is invalid',
    'entrypoint.executable': 'an entrypoint without an executable bit is invalid',
  },

  'List returns zero…': {
    'inventory.list-exit': 'list exits 0 once its inventory is written, problems or not',
    'inventory.doctor-exit': 'doctor exits 1 on any diagnostic, 0 on a clean or empty inventory',
    'inventory.usage-exit': 'wrong usage exits 2',
    'inventory.output-exit': 'output that cannot be written exits 1',
    'inventory.json': 'the JSON holds packages and diagnostics, each with a fixed code and message',
    'inventory.json-omits': 'the JSON holds neither argv nor the whole manifest',
  },

  'Field | Rules': {
    'manifest.schema': 'schema is required and 1',
    'manifest.id-rules': 'id has two or more dotted segments of [a-z][a-z0-9_-]* in at most 128 bytes',
    'manifest.version': 'version is a full semantic version without v, at most 128 bytes',
    'manifest.name': 'name is optional, one line, at most 80 characters',
    'manifest.description': 'description is optional, one line, at most 512 characters',
    'manifest.entrypoint': 'entrypoint is a path within the package, with /, at most 1024 bytes',
    'manifest.args': 'args holds at most 64 strings of at most 4096 bytes, none with NUL',
    'manifest.protocol': 'protocol has positive integers min and max in order, with 1 between them',
    'manifest.requests': 'requests holds at most 64 different dotted capability names',
    'manifest.actions': 'contributes.actions holds at most 32 actions',
    'manifest.views': 'contributes.views holds at most eight ids',
    'manifest.providers': 'contributes.providers holds at most eight {id, kind: search, label}',
    'manifest.providers-need-request': 'providers require a request for ui.provider.contribute',
    'manifest.markers': 'activation.markers holds at most 16 different names of one path component',
    'manifest.config': 'config holds at most 32 options {key, type, default, label} of bool, string or int',
  },

  'Entrypoints cannot be…': {
    'entrypoint.absolute': 'an absolute entrypoint is refused',
    'entrypoint.dots': 'an entrypoint with . or .. components is refused',
    'entrypoint.characters':
      'backslashes, Windows special characters, control and format characters are refused',
    'entrypoint.reserved': 'device names and components ending in a dot or space are refused',
    'entrypoint.no-expansion': 'neither shell, variables, ~ nor PATH change what is executed',
    'entrypoint.shebang': 'an executable script with a shebang is a valid entrypoint',
  },

  'Plugin IDs must…': {
    'manifest.id-device': 'an id that begins with a Windows device name is refused on every system',
    'manifest.id-reverse-domain': 'an ordinary reverse domain is a valid id',
  },

  'Action and view IDs…': {
    'manifest.contribution-unique': 'ids are unique among actions and among views',
    'manifest.contribution-prefix':
      'an action or view id begins with the plugin id and a dot, at most 128 bytes',
    'manifest.action-label': 'an action label has 1 to 80 characters and is not blank',
    'manifest.action-targets': 'targets are different values out of workspace, tab and pane',
    'manifest.actions-need-request': 'actions require a request for ui.action.contribute',
    'manifest.views-need-request': 'views require a request for ui.view.contribute',
  },

  'A manifest is at most…': {
    'manifest.size': 'a manifest of more than 64 KiB is refused',
    'manifest.one-object': 'a manifest is one UTF-8 JSON object and nothing after it',
    'manifest.duplicate-keys': 'duplicate keys are refused, also when they differ only in case',
    'manifest.depth': 'nesting deeper than 32 is refused',
    'manifest.case-insensitive': 'known fields match in any case',
    'manifest.null': 'null stands for a field left out',
    'manifest.unknown-fields': 'unknown fields are ignored',
    'manifest.unknown-capability': 'an unknown capability gives no right and cannot be approved',
  },

  'Activation markers gate…': {
    'activation.gates': 'with markers, actions and providers appear only where a workspace has one of them',
    'activation.direct-child': 'a marker counts only as a direct child of the workspace',
    'activation.lstat': 'a marker that is a dangling symlink counts: the entry is looked at, never followed',
    'activation.none': 'without markers a plugin applies to every workspace in scope',
    'activation.never-starts': 'opening a workspace approves and starts nothing',
  },

  'Configuration options are…': {
    'config.in-ack': 'hello_ack carries config: the defaults with the approved values over them',
    'config.typed': 'a value of another type than declared is refused',
    'config.stored': 'approved values are kept in the approval record',
  },

  'Approve an explicit…': {
    'approve.trust': 'approve takes --package PATH and refuses without --trust',
    'approve.grant': 'each --grant must be requested by the manifest and supported by the host',
    'approve.set': 'each --set sets a declared option, bool and int as JSON literals',
    'approve.scope': 'a scope is repeated --workspace or one --instance, not both',
    'approve.scope-exact': 'a workspace scope matches the exact path: no prefix, no alias, case counts',
    'approve.scope-symlinks': 'symlinks in a scope path are kept as written',
    'approve.no-scope': 'without a scope no workspace can be read or changed',
  },

  'Approval records live…': {
    'record.place': 'a record is plugin-approvals/<id>.json beside the state file',
    'record.contents': 'a record holds schema, id, real path, digest, enabled, grants, scope choice',
    'record.apart': 'saving workspaces never overwrites an approval made meanwhile',
    'record.atomic': 'a record is written to a private file and moved into place',
    'record.state-untouched': 'approving changes no existing state file',
  },

  'The digest covers…': {
    'digest.covers': 'the digest covers names, permission bits and contents of every file in the package',
    'digest.size': 'a package of more than 128 MiB is refused',
    'digest.entries': 'a package of more than 1024 entries, directories included, is refused',
    'digest.depth': 'a package deeper than 32 directories is refused',
    'digest.reapprove': 'a changed package does not run until it is approved again',
  },

  'Enabled records are…': {
    'watch.recheck': 'package and fingerprint are checked again before every launch',
    'watch.interval': 'saved approvals are compared every 500 ms',
    'watch.revokes': 'a record that changed, is gone, disabled or unreadable ends the live registration',
    'watch.cancels': 'revocation cancels what is pending and removes contributions',
    'watch.stops': 'revocation stops the process',
  },

  'Additional grants…': {
    'approval.no-live-grants': 'new grants and approvals take effect only after a restart of the host',
    'approval.enable': 'enable is refused when the package no longer matches its approval',
    'approval.inspect': 'inspect prints the approval',
    'approval.disable': 'disable is saved and seen by a running host, also without its control socket',
    'approval.revoke': 'revoke deletes the record, stops the plugin and keeps its stored data',
  },
  'Additional grants… → Peer plugins': {
    'approval.local': 'approve, enable and revoke exist only locally',
    'approval.remote-lifecycle':
      'start, stop, restart, reload and disable are remote and need the admin scope',
    'approval.panes-survive': 'the restart that loads new approvals is one of the daemon; panes survive it',
  },

  'The runtime uses…': {
    'lifecycle.states':
      'states are approved, starting, handshaking, ready, stopping, stopped, failed, blocked',
    'lifecycle.lazy': 'a process starts on the first action or an explicit start, not before',
    'lifecycle.explicit-restart': 'a failed, blocked or stopped plugin needs an explicit restart',
    'lifecycle.reload': 'reload reaps the old generation, checks the approval again, starts a new one',
    'lifecycle.reload-command': 'plugins reload --id and the lifecycle menu both reload',
    'lifecycle.reload-same-rights': 'reload is refused when grants or scopes changed',
  },

  'ctrl+b P opens…': {
    'control.lifecycle-menu': 'prefix P opens the lifecycle controls',
    'control.workspace-menu': 'the menu of a workspace offers start or restart, and stop',
    'control.settings':
      'the settings have a plugins section with state, restart, stop and disable when enabled',
    'control.settings-disable': 'disabling there writes the same record as the CLI',
    'control.enable-cli-only': 'no screen can enable a plugin again',
    'control.status': 'plugins.status on the control socket reports every plugin',
    'control.status-fields':
      'a status holds path, names, versions, rights, scope, contributions, state, generation',
    'control.status-failure': 'a failure in a status is free of peer text',
    'control.control': 'plugins.control on the control socket starts, stops and restarts a plugin',
    'control.accepted': 'a control reply means accepted, not ready',
    'control.cli': 'the CLI has plugins status, start, stop and restart with --id and --state',
    'control.no-approvals': 'no control method makes an approval or a grant',
    'control.not-for-peers': 'a peer that calls a control method gets unknown_method',
  },

  'Plugin processes belong…': {
    'process.owner': 'a plugin is a child of the daemon, never of the holder',
    'process.group': 'a plugin has a process group of its own',
    'process.shutdown-wait': 'at shutdown a peer has 500 ms before its group is killed',
    'process.eof': 'a peer whose stdin ends is expected to exit; the example does',
  },

  'Split and tab panes…': {
    'pane.survives': 'a split or tab pane made by a plugin stays after the plugin is gone',
    'pane.float-ends': 'a floating pane made by a plugin closes with its connection generation',
    'pane.float-not-saved': 'a floating pane of a plugin is never saved and leaves no session in the holder',
    'pane.explicit-close': 'closing such a pane or its workspace works as for any other',
  },

  'Every frame is…': {
    'frame.line': 'a frame is one UTF-8 JSON object ended by LF; CRLF is accepted',
    'frame.partial': 'an unfinished last line is rejected',
    'frame.stdout-only': 'anything but frames on stdout fails the session',
    'frame.size': 'a frame has at most 256 KiB without its LF',
    'frame.depth': 'a frame nests at most 32 deep',
    'frame.id': 'an id has at most 128 bytes, without control or format characters',
    'frame.concurrency': 'each direction has at most 32 requests open',
    'frame.output-queue': 'at most 32 frames wait to be written to a peer',
    'frame.rate': 'at most 256 frames per second are taken from a peer',
    'frame.event-queue': 'at most 64 events wait between host and peers',
    'frame.backpressure':
      'a peer that does not read fails its calls or loses the connection; the host never waits',
  },

  'The peer starts…': {
    'handshake.hello': 'the first frame is hello with plugin and protocol; a foreign id fails the session',
    'handshake.ack': 'hello_ack answers with protocol, instance and the granted capabilities',
    'handshake.ready': 'the plugin is ready once it has sent ready',
    'handshake.deadline': 'a handshake of more than five seconds fails',
    'handshake.no-dynamic': 'a handshake cannot add contributions to those of the manifest',
    'handshake.order': 'an unknown frame, or one out of order, fails the session',
  },

  'Bidirectional calls use…': {
    'call.request': 'a request has id, method and params; a response has its id with result or error',
    'call.error': 'an error has code and message',
    'call.cancel': 'cancel names a request and ends it with canceled where possible',
    'call.cancel-no-rollback': 'cancel undoes nothing that is done',
    'call.ids-directional': 'both sides may use the same id at once',
    'call.ids-unique': 'an id that is still open in its direction cannot be used again',
    'call.deadline': 'a call of the host times out after ten seconds',
    'call.late-response': 'a response to a finished call is ignored',
    'call.origin': 'a result counts only for the generation that asked',
  },

  'Resource IDs are…': {
    'address.pane-ids': 'a pane id of an earlier generation is not valid',
    'address.workspace-path': 'a workspace is named by its exact path, not by its display name',
    'address.tabs': 'tabs appear in snapshots but have no id that a right could name',
  },

  'Shutdown is…': {
    'shutdown.frames': 'the host sends shutdown, a peer may answer shutdown_ack, then exits',
    'shutdown.revokes-first': 'a stopping peer has lost its access before the host begins to wait',
  },

  'A declared menu…': {
    'action.invoke': 'choosing an action sends command.invoke with action_id and target',
    'action.workspace': 'the workspace path is sent only in scope and with workspace.read',
    'action.pane': 'pane_id is sent only in scope and with pane.read_metadata',
    'action.activation': 'while a plugin starts for an action the footer says so',
    'action.recheck': 'once ready, target and generation are checked again before the action is sent',
    'action.closed-target': 'an action on a closed target is an error and is not sent to another one',
    'action.notification':
      'a notification in the result is shown only with ui.notification and a live generation',
    'action.result-inert': 'nothing else in a result is carried out',
  },
  'A declared menu… → Several interfaces at once': {
    'action.invoking-client':
      'the result of an action is shown to the client that invoked it, a notice to all',
  },

  'When the host finder…': {
    'provider.query': 'a finder query of two or more characters is sent to each provider that may answer',
    'provider.limit': 'a query asks for at most 32 rows',
    'provider.eligible': 'only a ready plugin with grant, matching scope and activation is asked',
    'provider.workspace': 'workspace is sent only with workspace.read',
    'provider.timeout': 'an answer after two seconds is not used',
    'provider.rows': 'a provider shows up to 32 rows, each plain text of 120 characters or less',
    'provider.order': 'rows of plugins stand below those of the host',
    'provider.stale': 'answers to an older query or from an ended generation are dropped',
    'provider.jump': 'choosing a row with a pane_id in scope goes to that pane',
    'provider.select': 'choosing another row sends provider.select with its id; a notification may come back',
  },

  'Every method below…': {
    'grant.separate': 'each method is denied without its own grant',
    'grant.screen': 'no other grant includes reading a screen',
    'input.no-block': 'a child that does not read blocks neither the host nor another pane',
    'input.keyboard': 'keyboard input is accepted even when automation is refused',
    'input.call-limit': 'one call writes at most 16 KiB',
    'input.busy': 'automation gets busy when a pane has 256 KiB unread',
    'input.order': 'keyboard and automation reach the child in the order they came',
    'input.raw': 'input reaches the child byte by byte, unsanitized',
    'input.nul': 'input with NUL is refused',
  },

  'Method | Grant | Parameters and behavior': {
    'method.ui-notify': 'ui.notify (ui.notification) shows up to 240 plain characters for a while',
    'method.ui-notify-severity': 'severity is info or error',
    'method.ui-status': 'ui.status (ui.status.contribute) keeps up to 240 characters in the footer',
    'method.ui-status-priority': 'priority is 0 to 100',
    'method.ui-status-clear': 'empty text clears the status, and so does the end of the connection',
    'method.status': 'status (workspace.read) returns a snapshot in the shape of the control API',
    'method.pane-read': 'pane.read (pane.read_screen) returns the visible screen of a pane in scope as text',
    'method.pane-create':
      'pane.create (pane.create) opens an existing kind in a workspace, split right, down or tab',
    'method.pane-create-float': 'split float needs width_pct and height_pct of 10 to 100 and takes an anchor',
    'method.pane-create-float-limit': 'a fifth floating pane is refused',
    'method.pane-send-text': 'pane.send_text (pane.send_input) writes text, and enter when asked',
    'method.pane-close': 'pane.close (pane.close) closes a pane in scope as usual',
    'method.workspace-create':
      'workspace.create (workspace.create) takes an absolute path in scope and a known kind',
    'method.workspace-create-group':
      'group_path sets the group; the one from git is used only when asked for',
    'method.workspace-move': 'workspace.move (workspace.move) sets the group of a workspace, [] for none',
    'method.workspace-move-calm': 'moving changes neither PTYs nor the selection',
    'method.group-list': 'group.list (workspace.read) lists groups and their ancestors seen in scope only',
    'method.workspace-close': 'workspace.close (workspace.close) closes the workspace of that exact path',
    'method.events-subscribe': 'events.subscribe needs both its grants and knows snapshot.changed',
    'method.events-unsubscribe': 'events.unsubscribe ends the subscription of this connection',
    'method.storage-get': 'storage.get (storage.plugin_private) returns the value of a key',
    'method.storage-set': 'storage.set (storage.plugin_private) stores a JSON value under a key',
    'method.storage-delete': 'storage.delete (storage.plugin_private) removes a key',
    'method.view-open': 'ui.view.open (ui.view.contribute) shows a declared view',
    'method.view-update': 'ui.view.update (ui.view.contribute) replaces the whole contents of a view',
    'method.view-close': 'ui.view.close (ui.view.contribute) closes a view by its id',
  },
  'Method | Grant | Parameters and behavior → Peer plugins': {
    'method.guard': 'workspace.create with an agent passes the guard first',
  },
  'Method | Grant | Parameters and behavior → The flow': {
    'method.nineteen': 'peers have the methods of the seed and no others',
    'method.no-contacts': 'no method reaches contacts, their threads or their mailboxes',
  },

  'status omits unapproved…': {
    'status.scope': 'status leaves out workspaces outside the scope',
    'status.pane-metadata': 'panes appear only with pane.read_metadata',
    'status.no-failures': 'a snapshot holds no failure text of a process',
    'status.too-large': 'a result beyond the frame limit is too_large',
    'notify.rate': 'a plugin shows one notification per second, whatever its severity',
    'notify.error-expires': 'an error notice goes away like one of the host',
    'footer.latest': 'of fast status changes the last one is always shown',
    'footer.order': 'footer entries stand by priority, then by plugin id, cut to the display width',
    'footer.keys': 'ordinary keys in a terminal never go to a plugin',
  },

  'status omits unapproved… → Several interfaces at once': {
    'status.active-client': 'selected and active in a snapshot are those of the client active last',
  },

  'Errors include…': {
    'error.denied': 'denied: the grant or the scope is missing',
    'error.disabled': 'disabled: the feature or the plugin is switched off',
    'error.invalid-params': 'invalid_params: the parameters do not fit the method',
    'error.invalid-result': 'invalid_result: the answer of a peer does not fit',
    'error.unknown-method': 'unknown_method: there is no such method',
    'error.not-found': 'not_found: the target does not exist',
    'error.timeout': 'timeout: the deadline passed',
    'error.canceled': 'canceled: the call was canceled',
    'error.busy': 'busy: a limit is reached for now',
    'error.unavailable': 'unavailable: the host cannot do it at this time',
    'error.too-large': 'too_large: the data is beyond its limit',
    'error.quota': 'quota: the storage is full',
    'error.storage-error': 'storage_error: the storage failed',
    'error.diagnostics': 'failures of process, handshake and approval show in the lifecycle diagnostics',
    'error.no-peer-text': 'error text of a peer is not shown in the footer',
  },

  'Subscribe returns…': {
    'subscribe.initial': 'subscribing returns a snapshot in scope and sequence 0',
    'subscribe.rate': 'snapshot.changed comes at most every 200 ms, and only after a change',
    'subscribe.frame': 'snapshot.changed carries sequence and snapshot',
    'subscribe.covers':
      'changes of workspaces, groups, tabs, panes, selection and busy are seen, from keys too',
    'subscribe.group-path': 'a workspace in a group carries group_path; the rest of the group stays hidden',
    'subscribe.excludes': 'no keys, terminal bytes, screen contents or titles are sent',
    'subscribe.checked': 'scope and grants are checked again at each push',
    'subscribe.gap':
      'a dropped push leaves a gap in the sequence and is tried again while there is a difference',
    'subscribe.ends': 'stop, revocation, restart and disconnect end the subscription',
  },

  'Storage lives under…': {
    'storage.place': 'values are in plugin-data/<id>/values.json beside the state file',
    'storage.key': 'a key matches [a-zA-Z0-9_-]{1,64}',
    'storage.value-limit': 'a value has at most 32 KiB of JSON',
    'storage.key-quota': 'a plugin has at most 64 keys',
    'storage.size-quota': 'a plugin stores at most 1 MiB in all',
    'storage.missing': 'a missing key reads as null',
    'storage.delete-twice': 'deleting a missing key succeeds',
  },

  'Storage operations run…': {
    'storage.lock': 'two instances that write at once both keep their values',
    'storage.atomic': 'a crash in the middle of a write leaves the old or the new values',
    'storage.lock-cancel': 'waiting for the lock ends when the request is canceled',
    'storage.kept': 'values stay after disable and after the package is gone',
    'storage.private': 'the files are private to the user, and no method reads those of another plugin',
  },

  'Views are optional…': {
    'view.limit': 'a ninth open view in the instance is refused',
    'view.declared': 'only an id declared in the manifest can be opened',
    'view.title': 'a title has 1 to 80 plain characters',
    'view.lines': 'a view takes up to 128 lines, each of up to 512 characters',
    'view.plain': 'controls, ANSI, format characters and newlines in text are refused; blank lines are fine',
    'view.size': 'width and height are 10 to 100 percent',
    'view.content-size': 'opening returns width and height of the content',
    'view.frame': 'the host centers the view, draws its border and clips by display width',
  },

  'focus:true is honored…': {
    'view.focus': 'focus is honored only with ui.view.input and no modal, selection or drag in the way',
    'view.click': 'a click on a view with input focuses and raises it',
    'view.key': 'a key in a focused view is sent as view.input with id, key and paste',
    'view.key-names': 'keys have normalized names, not terminal codes',
    'view.mouse': 'the mouse is sent relative to the content with modifiers, button and action',
    'view.resize': 'view.resize reports new dimensions of the content',
    'view.escape': 'Escape closes the focused view',
    'view.prefix': 'the prefix of the host works in a view, and modals go first',
    'view.no-input': 'a view without input swallows clicks on it and passes none on',
    'view.x': 'the x of the frame closes any view',
  },
  'focus:true is honored… → Several interfaces at once': {
    'view.active-client': 'focus and geometry of a view are those of the client active last',
    'view.close-for-all': 'a view closed by Escape or x is gone for every client',
  },

  'A view may set dock…': {
    'dock.edges': 'dock is right or bottom',
    'dock.half': 'a dock takes at most half of the area and leaves terminals their least size',
    'dock.tree': 'a dock leaves the split tree as it was; terminals are resized the ordinary way',
    'dock.stack': 'several docks on an edge stack outward in the order they were opened',
    'dock.no-switch': 'an open view stays floating or docked, as it was opened',
    'dock.focus-order': 'a focused dock keeps its place',
    'dock.not-saved': 'views close with the connection and are never saved',
  },

  'With --plugins absent…': {
    'cost.absent': 'without the flag there is no runtime, watcher or control method',
    'cost.input-buffer': 'at most 8 frames of a peer wait to be handled',
    'cost.fixed-limits': 'limits are constants that no load changes',
    'cost.rendering': 'drawing never waits for a plugin',
  },
  'With --plugins absent… → Peer plugins': {
    'cost.not-loaded': 'without the flag the module of the runtime is not even loaded',
  },

  'Workspaces are addressed…': {
    'address.pane-stable': 'a pane id stays the same through rename and reorder',
    'address.whole-workspace': 'a right in a workspace covers every pane of it',
  },
  'Workspaces are addressed… → Peer plugins': {
    'address.cleaned': 'workspace paths are absolute and cleaned, with symlinks kept',
  },

  'Manifests and peers declare…': {
    'version.fail-closed': 'an unknown manifest, approval or protocol version is refused with a diagnostic',
  },

  'Existing state files…': {
    'compat.unchanged': 'with the runtime off, state, control methods and panes behave as before',
  },
} as const satisfies Seed<'hrdx-plugin-runtime.md'>
