internal import Gatebook

/// What differs between an account's context at two moments.
struct ContextDifference {
  /// One fact that differs; `nil` where it was not there.
  private struct Change {
    let name: String
    let from: JSON?
    let to: JSON?
  }

  private let former: SessionContext
  private let later: SessionContext
  /// The members of the documented objects that differ, those of objects inside by
  /// `attributes.jobTitle`.
  private let changes: [Change]

  init(from former: SessionContext, to later: SessionContext) {
    self.former = former
    self.later = later
    changes = Self.changes(
      AccountRendering(former).json(isFull: true), AccountRendering(later).json(isFull: true))
  }

  /// Whether both are the same.
  var isEmpty: Bool { changes.isEmpty }

  private static func changes(_ former: JSON, _ later: JSON, in path: String = "") -> [Change] {
    let names = former.names + later.names.filter { !former.names.contains($0) }
    return names.flatMap { name -> [Change] in
      let (from, to) = (former[name], later[name])
      guard from != to else { return [] }
      if let from, let to, !from.names.isEmpty, !to.names.isEmpty {
        return changes(from, to, in: "\(path)\(name).")
      }
      return [Change(name: path + name, from: from, to: to)]
    }
  }

  /// The documented object.
  ///
  /// - Parameters:
  ///   - start: The earlier moment.
  ///   - end: The later one.
  /// - Returns: One JSON object.
  func json(from start: AsOf, to end: AsOf) -> JSON {
    [
      "id": .text(later.account.description), "from": start.json, "to": end.json,
      "changes": .list(
        changes.map { .present(["name": .text($0.name), "from": $0.from, "to": $0.to]) }),
    ]
  }

  /// For people: each fact that differs, as it was and as it is.
  @MainActor func lines(_ output: Output) -> [String] {
    let before = AccountRendering(former).facts(output)
    let after = AccountRendering(later).facts(output)
    let names =
      before.map(\.name)
      + after.map(\.name).filter { name in
        !before.contains { $0.name == name }
      }
    let facts = names.map { name in
      (
        name, before.first { $0.name == name }?.value, after.first { $0.name == name }?.value
      )
    }
    let attributes = changes.filter { $0.name.hasPrefix("attributes") }.map { change in
      (
        Printable.text(change.name), change.from.map(Self.text), change.to.map(Self.text)
      )
    }
    return (facts.filter { $0.1 != $0.2 } + attributes).flatMap { name, from, to in
      [name] + (from.map { ["  - " + $0] } ?? []) + (to.map { ["  + " + $0] } ?? [])
    }
  }

  private static func text(_ value: JSON) -> String {
    guard case .text(let text) = value else {
      return Printable.text(String(decoding: value.encoded, as: UTF8.self))
    }
    return Printable.text(text)
  }
}
