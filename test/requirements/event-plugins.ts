import type { Seed } from './sources.ts'

/**
 * The promises of seed `bridge-plugin-runtime.md`, ids `B:…` (event plugins). The seed lost its headings, so
 * a section is named by its opening words; "X → Y" holds promises of X as `design.md` decides them under Y.
 */
export const eventPlugins = {
  'A plugin is one executable…': {
    'plugin.any-executable': 'any executable is a plugin: a script and a compiled program both work',
    'plugin.run-per-event': 'a plugin is started once for each matching event',
    'plugin.declared-events': 'a plugin is not run for an event it did not declare',
    'plugin.no-output': 'printing nothing is fine and has no effect',
    'plugin.four-verbs':
      'only nudge, notify, emit and set-field have an effect; another action is audited and dropped',
  },

  'Scan…': {
    'scan.flat': 'executables directly in the plugin directory are found, those in subdirectories are not',
    'scan.executables-only': 'a file without an executable bit is passed over',
    'scan.at-start': 'the directory is scanned when the daemon starts',
    'scan.on-mtime': 'a changed directory mtime leads to a new scan at the next dispatch',
    'scan.lazy': 'one dispatch checks the directory once or not at all; no timer does',
    'manifest.invocation': 'discovery runs the file with the one argument manifest and reads name and events',
    'manifest.timeout': 'a manifest call that lasts 10 s is killed and the file is not loaded',
    'manifest.invalid': 'a manifest that is not JSON of that shape is audited and the file is not loaded',
    'manifest.name-pattern': 'a name is a lowercase letter and up to 30 of a-z, 0-9 and dash',
    'manifest.name-unique': 'of two files with one name the first is loaded, the second audited and skipped',
    'manifest.unknown-events': 'an unknown event name is audited and ignored, the others still count',
    'announce.audit': 'a plugin seen for the first time gets an audit line',
    'announce.feed': 'a plugin seen for the first time is announced in the feed with its name and events',
    'announce.once': 'a plugin that was announced is not announced again by a later scan',
  },
  'Scan… → Event plugins': {
    'scan.in-place-edit': 'a file edited in place is noticed although the directory mtime stands still',
    'scan.peers-apart': 'package directories and NAME.d are neither reported nor counted as event plugins',
    'scan.no-replay': 'a plugin hears only what happens from now on; nothing is replayed to it',
  },

  'Plugins execute with…': {
    'trust.same-uid': 'a plugin runs with the uid of the daemon',
    'trust.directory-mode': 'no plugin is loaded while the directory is not mode 0700',
    'trust.directory-owner': 'no plugin is loaded while the directory belongs to another uid',
    'trust.file-writable': 'a group- or world-writable file is refused and audited',
    'audit.run': 'every run of a plugin leaves a plugin-run line',
    'audit.action': 'every action leaves a plugin-action line',
    'audit.error': 'every failure leaves a plugin-error line',
    'lockdown.stops': 'after lockdown no plugin runs',
  },
  'Plugins execute with… → Lockdown': {
    'lockdown.until-unlocked': 'plugins stay off, also across a restart, until the bridge is unlocked',
    'lockdown.both-kinds': 'lockdown stops peer plugins as well, the running ones at once',
  },
  'Plugins execute with… → Event plugins': {
    'trust.environment': 'a plugin inherits the environment without bridge tokens and model credentials',
  },

  'Envelope, always…': {
    'envelope.event': 'event names what happened',
    'envelope.ts': 'ts is the time in UTC, ISO 8601',
    'envelope.contact': 'contact carries id, name and directory',
    'envelope.status': 'contact status is live or offline',
    'envelope.health': 'contact health is the health word of the moment',
    'envelope.data': 'data is always there, empty when the event has none',
  },

  'event | fires when | data': {
    'event.message-in': 'message.in fires for a phone message once it is durable, with text and via phone',
    'event.message-in-live': 'message.in says queued false when the message was delivered live',
    'event.message-in-queued': 'message.in says queued true when the message waits in the mailbox',
    'event.reply-out': 'reply.out carries the text of a reply that went to the phone',
    'event.permission-prompt': 'permission.prompt carries the prompt a hook reported',
    'event.agent-connect': 'agent.connect says connect when a contact registers',
    'event.agent-connect-revive': 'agent.connect says revive when a known contact comes back',
    'event.agent-connect-suffixed': 'agent.connect says suffixed when the name had to be changed',
    'event.agent-idle': 'agent.idle fires when health goes from working to ok, with empty data',
    'event.tick': 'tick fires every 60 s',
    'event.tick-roster': 'tick carries the roster as contacts and no contact field',
    'event.deferred': 'context.high and message.reaction are not events yet: declaring them is ignored',
  },
  'event | fires when | data → Event plugins': {
    'event.message-in-routes':
      'message.in fires for the send and upload routes of the phone, for no other message',
    'event.reply-out-thread': 'a reply entering the thread fires reply.out once',
    'event.permission-person': 'no permission.prompt fires when a rule answers in place of a person',
  },
  'event | fires when | data → Contacts': {
    'event.agent-connect-contact':
      'agent.connect fires for the contact, not again for each session it passes through',
  },
  'event | fires when | data → Status is evidence, not a guess': {
    'event.agent-idle-quiet': 'agent.idle waits for a quiet interval, so a short pause fires nothing',
  },

  'One JSON object per line…': {
    'output.lines': 'actions are read as one JSON object per line',
    'output.array': 'actions are also read as a single JSON array',
    'output.garbage': 'what does not parse is audited and dropped; valid lines around it still count',
    'output.no-crash': 'no output of a plugin can bring the daemon down',
  },

  'action | shape | effect': {
    'action.nudge': 'nudge types one line into the session of the contact',
    'action.nudge-stamp': 'a nudge is stamped with the name of the plugin that sent it',
    'action.nudge-sanitized': 'a nudge goes through the same sanitizer as a phone message',
    'action.nudge-address': 'nudge finds its contact by id and by name',
    'action.notify': 'notify sends a push with title, body and contact',
    'action.notify-tag': 'the push carries the tag plugin:<name>',
    'action.notify-debounce': 'plugin pushes are debounced like other pushes',
    'action.emit': 'emit puts a muted system line of type plugin into the thread of the contact',
    'action.set-field': 'set-field stores a field on the contact that survives a restart',
    'action.set-field-status': 'the fields of a contact are in /api/status',
    'action.set-field-key': 'a field key is a lowercase letter and up to 30 of a-z, 0-9 and dash',
    'action.set-field-value': 'a field value longer than 200 characters is refused',
    'action.set-field-count': 'a contact holds at most 16 fields; a seventeenth key is refused',
  },

  'Rate limit…': {
    'limit.actions': 'eight actions of a run count, the rest are audited and dropped',
    'limit.nudge-mailbox': 'a nudge to a contact that is gone waits in its mailbox',
  },

  'Per event…': {
    'run.invocation': 'a run gets the one argument event',
    'run.env-event': 'BRIDGE_EVENT holds the event type',
    'run.stdin': 'the envelope arrives on stdin, which is then closed',
    'run.timeout': 'a run that lasts 10 s is ended by SIGKILL',
    'run.stdout-cap': 'of stdout only the first 64 KB are read',
    'run.home': 'BRIDGE_PLUGIN_HOME is the directory NAME.d beside the plugin',
    'run.home-created': 'the directory is made on the first run, with mode 0700',
    'run.home-ignored': 'discovery passes over NAME.d, whatever is in it',
    'run.exit-code': 'a non-zero exit is audited with the first 1 KB of stderr',
    'run.no-retry': 'a failed run is not tried again',
    'queue.serial': 'one plugin never runs twice at the same time; its events keep their order',
    'queue.cap': 'a queue holds 32 events; beyond that the oldest is dropped with an audit line',
    'queue.apart': 'a slow plugin delays neither another plugin nor the daemon',
  },

  'examples/plugins/memory-keeper…': {
    'example.nudges': 'the example nudges a contact that has been live for four hours',
    'example.waits': 'the example nudges the same contact again only after another four hours',
    'example.state': 'the example keeps a timestamp file for each contact in its own directory',
  },

  'No remote…': {
    'scope.no-install': 'no route, frame or tool installs, edits or removes an event plugin',
    'scope.no-chains': 'an action of one plugin fires no event for another',
  },
} as const satisfies Seed<'bridge-plugin-runtime.md'>
