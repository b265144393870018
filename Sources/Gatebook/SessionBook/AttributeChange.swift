/// The difference between two sets of attributes, as `attributes.changed` tells it; `nil` when there
/// is none.
struct AttributeChange {
  /// The names of the attributes that changed, as far as they may stand in the clear: a server
  /// chooses them.
  let data: Facts
  /// The whole set after the change.
  let personal: Facts

  init?(from old: UserAttributes, to new: UserAttributes) {
    let names = Set(old.names).union(new.names).filter { old.facts[$0] != new.facts[$0] }
    guard !names.isEmpty else { return nil }
    let ordered = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    data = ["keys": .list(ordered.filter(Self.isPlain).map(FactValue.text))]
    personal = ["attributes": .object(new.facts)]
  }

  /// Whether a name is 1 to 64 letters, digits, `_`, `.` and `-`.
  private static func isPlain(_ name: String) -> Bool {
    GatebookError.isErrorCode(String(decoding: name.utf8.map(Self.lowercase), as: UTF8.self))
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
