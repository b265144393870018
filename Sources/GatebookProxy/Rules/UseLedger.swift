package import Gatebook

/// Counts the requests of each program through a proxy, and says when that is to be recorded.
///
/// Who has used a session is worth more than how often. So a program's first request is recorded
/// after a minute, with what came besides, and everything else once an hour. A short run has one
/// event at its end, and a long one about 24 a day. A proxy that is killed loses the first minute
/// of a program, or an hour of counts.
package struct UseLedger: Sendable {
  /// How long after its first request a program is recorded.
  package static let delay = Duration.seconds(60)
  /// How long the requests of known programs wait to be recorded.
  package static let interval = Duration.seconds(3600)
  /// The most programs that are named in one run; one that changes its name cannot fill the book.
  package static let most = 32

  private var use = ProxyUse()
  /// The programs that were named so far.
  private var known: Set<String> = []
  /// When what is counted is to be recorded, on a clock that never jumps; `nil` while nothing is.
  package private(set) var due: Duration?

  package init() {}

  /// Counts a request that was sent to the server.
  ///
  /// - Parameters:
  ///   - program: Whose it was.
  ///   - now: The time; read only where it is needed.
  package mutating func forwards(_ program: AskingProgram?, at now: @autoclosure () -> Moment) {
    if use.isEmpty { begin(at: now()) }
    use.forwarded += 1
    guard let name = name(of: program) else { return }
    if known.insert(name).inserted {
      let soon = now().boot + Self.delay
      due = min(due ?? soon, soon)
    }
    count(name, program) { $0.forwarded += 1 }
  }

  /// Counts a request that was refused.
  package mutating func refuses(_ program: AskingProgram?, at now: @autoclosure () -> Moment) {
    if use.isEmpty { begin(at: now()) }
    use.refused += 1
    // What is refused is recorded at once as that: nothing is lost if its count comes later.
    if let name = name(of: program) { count(name, program) { $0.refused += 1 } }
  }

  /// Takes what was counted and not taken before.
  package mutating func take() -> ProxyUse {
    defer {
      use = ProxyUse()
      due = nil
    }
    return use
  }

  private mutating func begin(at now: Moment) {
    use.since = now.wall
    due = now.boot + Self.interval
  }

  private func name(of program: AskingProgram?) -> String? {
    guard let name = program?.name else { return nil }
    guard known.count < Self.most || known.contains(name) else { return nil }
    return use.programs.count < Self.most || use.programs[name] != nil ? name : nil
  }

  private mutating func count(
    _ name: String, _ program: AskingProgram?, _ change: (inout ProxyUse.Part) -> Void
  ) {
    let process = program?.process.map { Int64($0) }
    var part = use.programs[name] ?? ProxyUse.Part(process: process)
    if part.process != process { part.process = nil }
    change(&part)
    use.programs[name] = part
  }
}
