internal import Gatebook

/// The facts of an event for people, where the key moved within one kind of source: the log names no
/// paths, and a key that moves from `file` to `file` would seem to stay where it was.
enum KeyChange {
  /// The facts of an event as people read them.
  static func worded(_ event: RecordedEvent) -> Facts {
    event.isKind(.keyChanged) ? KeyChanged.shown(event.data) : event.data
  }
}
