internal import Gatebook

/// What differs between an account's context at two moments.
struct ContextDifference {
  /// One fact that differs; `nil` where it was not there.
  private struct Change {
    let name: String
    let from: JSON?
    let to: JSON?
  }

  /// An account at a moment, with what its session was granted then.
  typealias State = (context: SessionContext, scopes: [String]?)

  private let former: State?
  private let later: State
  /// The members of the documented objects that differ, those of objects inside by
  /// `attributes.jobTitle`.
  private let changes: [Change]

  /// Compares them; before an account was in the book, `nil`, it had nothing.
  init(from former: State?, to later: State) {
    self.former = former
    self.later = later
    changes = Self.changes(
      former.map { Self.rendering($0).json(isFull: true) } ?? [:],
      Self.rendering(later).json(isFull: true))
  }

  private static func rendering(_ state: State) -> AccountRendering {
    AccountRendering(state.context, scopes: state.scopes)
  }

  /// Whether both are the same.
  var isEmpty: Bool { changes.isEmpty }

  private static func changes(_ former: JSON, _ later: JSON, in path: String = "") -> [Change] {
    let names = former.names + later.names.filter { !former.names.contains($0) }
    return names.flatMap { name -> [Change] in
      let (from, to) = (former[name], later[name])
      guard from != to else { return [] }
      let parts = (from?.names ?? []) + (to?.names ?? [])
      if !parts.isEmpty, from?.isObject ?? true, to?.isObject ?? true {
        return changes(from ?? [:], to ?? [:], in: "\(path)\(name).")
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
      "id": .text(later.context.account.description), "from": start.json, "to": end.json,
      "changes": .list(
        changes.map { .present(["name": .text($0.name), "from": $0.from, "to": $0.to]) }),
    ]
  }

  /// For people: each fact that differs, as it was and as it is.
  @MainActor func lines(_ output: Output) -> [String] {
    // An age would differ between any two moments.
    let times = output.times.withoutAges
    let before = former.map { Self.rendering($0).facts(output, times) } ?? []
    let after = Self.rendering(later).facts(output, times)
    let facts = Self.paired(before, after)
    let attributes = attributes(times).filter { $0.1 != $0.2 }
    // What has ended is not said to expire, though its time is as it was.
    let isHidden = former?.context.expiresAt == later.context.expiresAt
    let changed = facts.filter { $0.1 != $0.2 && !(isHidden && $0.0 == "expires") }
    return (changed + attributes).flatMap { name, from, to in
      [name] + Self.lines("  - ", from, output) + Self.lines("  + ", to, output)
    }
  }

  private static func lines(_ sign: String, _ value: String?, _ output: Output) -> [String] {
    guard let value else { return [] }
    let text = value.isEmpty ? "(empty)" : value
    return WrappedText.paragraph(sign, text, width: output.columns)
  }

  /// The user's attributes at both moments, as people read them; what is inside of one by
  /// `attributes.contact.phone`.
  private func attributes(_ times: TimeText) -> [(String, String?, String?)] {
    let before = former.map { Self.attributes($0.context, times) } ?? []
    let after = Self.attributes(later.context, times)
    return Self.paired(before, after)
  }

  /// Each name once, with what it stood for before and stands for after.
  private static func paired(
    _ before: [(name: String, value: String)], _ after: [(name: String, value: String)]
  ) -> [(String, String?, String?)] {
    let known = before.map(\.name)
    return (known + after.map(\.name).filter { !known.contains($0) }).map { name in
      (name, before.first { $0.name == name }?.value, after.first { $0.name == name }?.value)
    }
  }

  private static func attributes(
    _ context: SessionContext, _ times: TimeText
  ) -> [(name: String, value: String)] {
    context.attributes.value.map { FactText.flat($0.facts, .servers(times), in: "attributes.") }
      ?? [("attributes", context.attributes.hidden)]
  }
}
