/// Which programs sent requests through a proxy, and how many, since that was last recorded.
package struct ProxyUse: FactsRecord, Hashable, Sendable {
  /// The part of one program.
  package struct Part: FactsRecord, Hashable, Sendable {
    /// How many of its requests were sent to the server.
    package var forwarded: Int64 = 0
    /// The number of its process; `nil` where there were several, or none is known.
    package var process: Int64?
    /// How many of its requests were not.
    package var refused: Int64 = 0

    package init(process: Int64? = nil) { self.process = process }

    package static var blank: Self { Self() }

    package mutating func code(with facts: inout some FactsCoder) {
      facts.code("forwarded", &forwarded, unless: 0)
      facts.code("process", &process)
      facts.code("refused", &refused, unless: 0)
    }
  }

  /// How many requests were sent to the server, also those of programs without a name.
  package var forwarded: Int64 = 0
  /// The part of each program whose name is known.
  package var programs: [String: Part] = [:]
  /// How many requests were refused.
  package var refused: Int64 = 0
  /// When the first of them came; `nil` without any.
  package var since: Timestamp?

  package init() {}

  package static var blank: Self { Self() }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("forwarded", &forwarded, unless: 0)
    facts.code("programs", values: &programs)
    facts.code("refused", &refused, unless: 0)
    facts.code("since", &since)
  }

  /// Whether it tells of no request.
  package var isEmpty: Bool { forwarded == 0 && refused == 0 }

  /// Adds what came before or after it.
  package mutating func add(_ other: ProxyUse) {
    forwarded += other.forwarded
    refused += other.refused
    since = [since, other.since].compactMap { $0 }.min()
    for (name, part) in other.programs {
      guard var sum = programs[name] else {
        programs[name] = part
        continue
      }
      sum.forwarded += part.forwarded
      sum.refused += part.refused
      if sum.process != part.process { sum.process = nil }
      programs[name] = sum
    }
  }

  /// Who sent how many requests, and of whom how many were refused.
  var sentence: Sentence {
    var parts: [String] = []
    if forwarded > 0 || refused == 0 {
      parts.append("sent \(Self.words(forwarded)) to the server\(list(\.forwarded)).")
    }
    if refused > 0 { parts.append("refused \(Self.words(refused))\(list(\.refused)).") }
    let told = parts.joined(separator: " It ")
    guard let since else { return "It \(told)" }
    return "Since \(since), it \(told)"
  }

  /// The programs, the busiest first.
  private func list(_ count: (Part) -> Int64) -> String {
    let named = programs.filter { count($0.value) > 0 }
      .sorted { (count($1.value), $0.key) < (count($0.value), $1.key) }
    guard !named.isEmpty else { return "" }
    let parts = named.map { name, part in
      let process = part.process.map { " (process \($0))" } ?? ""
      return "\(name)\(process) \(count(part))"
    }
    return ": " + parts.joined(separator: ", ")
  }

  private static func words(_ count: Int64) -> String {
    count == 1 ? "1 request" : "\(count) requests"
  }
}
