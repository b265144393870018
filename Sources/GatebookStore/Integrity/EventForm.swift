internal import GatebookEvents

/// What no leaf tells: that an event has the form that a book writes ("Event format").
///
/// Otherwise an attacker who recomputes hashes could give it any form.
enum EventForm {
  /// What is wrong with the form of an event.
  ///
  /// - Parameters:
  ///   - row: A row that begins as ``EventLeaves/columns`` do.
  ///   - position: Its position.
  /// - Returns: A sentence; `nil` where nothing is wrong.
  static func problem(_ row: Statement, at position: Int64) -> String? {
    if let cause = row.optionalInteger(8), !(1..<max(1, position)).contains(cause) {
      return "The event at position \(position) names a cause that is not before it."
    }
    guard !CanonicalForm.holds(row.raw(11)) else { return nil }
    return
      "The facts of the event at position \(position) are not in the form that Gatebook writes."
  }
}
