internal import Gatebook

/// What became of an account that was erased, as `erase` prints it.
extension Erasure {
  /// The documented object.
  var json: JSON {
    .present([
      "account": .text(context.account.description),
      "position": .integer(position.rawValue),
      "repeated": isRepeated ? .bool(true) : nil,
      "wiped": .bool(isWiped),
      "untold": .integer(Int64(untold)),
      "copies": .list(copies.map(\.json)),
    ])
  }

  /// Some lines for people.
  @MainActor func show(_ output: Output) {
    let account = context.account
    output.line(
      output.painted(
        isRepeated
          ? "The account had already been erased, by event \(position): \(account)."
          : "Erased the account, by event \(position): \(account).", .good))
    if untold > 0, !isRepeated {
      output.message(
        "The server was not told. Tokens stay valid there until they expire.")
    }
    if !isWiped {
      output.message(
        "The destroyed key is still in the write-ahead log, because a program is reading an older state "
          + "of the book. The next command that writes wipes it; `gatebook doctor` shows whether it is "
          + "wiped."
      )
    }
    guard !copies.isEmpty else { return }
    output.line("These copies of the book may still hold its key. Delete those you do not need:")
    for copy in copies { output.line("- " + copy.text(output.times)) }
    if copies.contains(where: { $0.kind == .archive }) {
      output.message(
        "An erase does not change archives, which hold the earlier events. Keep them in a different "
          + "place than the book's key, where only authorized people can read them.")
    }
  }
}
