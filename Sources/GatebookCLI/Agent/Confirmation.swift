internal import Gatebook
internal import GatebookSystem

/// Asks a person before a program uses the agent for the first time.
///
/// The question is shown by a program, as OpenSSH's agent does it: the text is its argument,
/// SSH_ASKPASS_PROMPT is `confirm` in its environment, and exit status 0 is a yes (ssh-agent(1),
/// ssh(1)).
@MainActor final class Confirmation {
  /// How long a person has to answer.
  nonisolated static let limit = Duration.seconds(60)

  private let asker: String
  private let clock: any BookClock
  private let wait: Duration
  private var allowed: Set<String> = []
  private var asking: [String: Task<Bool, Never>] = [:]
  /// The question that was asked last: a person gets one after the other.
  private var last: Task<Bool, Never>?
  /// When each program was refused last: it is not asked about again at once.
  private var refused: [String: Duration] = [:]

  init(asker: String, clock: any BookClock, limit: Duration = limit) {
    self.asker = asker
    self.clock = clock
    wait = limit
  }

  /// Whether a person lets a program use the agent; asks unless that was answered before.
  ///
  /// - Parameters:
  ///   - program: The program; `nil` for one that nobody knows, which is asked about each time.
  ///   - book: The book that it wants to use.
  /// - Returns: Whether it may.
  func allows(_ program: CallingProgram?, in book: String) async -> Bool {
    let path = program?.path ?? ""
    if program != nil, allowed.contains(path) { return true }
    if let last = refused[path], clock.now().boot - last < wait { return false }
    if let question = asking[path] { return await question.value }
    let question = Task { [last] in
      _ = await last?.value
      return await ask(program, book)
    }
    asking[path] = question
    last = question
    let answer = await question.value
    guard asking[path] == question else { return false }
    asking[path] = nil
    if !answer {
      let now = clock.now().boot
      refused = refused.filter { now - $0.value < wait }
      refused[path] = now
    } else if program != nil {
      allowed.insert(path)
    }
    return answer
  }

  /// Forgets all answers; a question that is open counts as refused.
  func forget() {
    for question in asking.values { question.cancel() }
    (allowed, asking, refused, last) = ([], [:], [:], nil)
  }

  private func ask(_ program: CallingProgram?, _ book: String) async -> Bool {
    guard !Task.isCancelled else { return false }
    let name = program.map { "\($0.path) (process \($0.process))" } ?? "An unknown program"
    let text = Printable.text(
      "\(name) wants to use the accounts of \(book) through the agent. Allow it?")
    guard
      let child = ChildProcess(
        asker, [asker, text], streams: [.nothing, .nothing, .nothing], isOwnSession: true)
    else { return false }
    let end = clock.now().boot + wait
    while !Task.isCancelled, clock.now().boot < end {
      let (isRunning, ending) = child.look()
      guard isRunning else { return ending?.isFailure == false }
      await clock.pause(for: .milliseconds(20))
    }
    child.kill()
    return false
  }
}
