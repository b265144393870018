internal import Gatebook
internal import GatebookSystem

/// Shows on a terminal how much of a large body has arrived.
struct DownloadMeter: Sendable {
  private struct State {
    var total: Int?
    var count = 0
    var begin = ContinuousClock.now
    var next = ContinuousClock.now
  }

  private let progress: ProgressLine
  private let state = Locked(State())

  /// Makes a meter that shows nothing yet.
  init(_ progress: ProgressLine) { self.progress = progress }

  /// Shorter downloads show nothing.
  private static let patience = Duration.milliseconds(500)
  private static let interval = Duration.milliseconds(100)

  /// Starts to count.
  ///
  /// - Parameter reply: The answer without its body.
  func begin(_ reply: HTTPReply) {
    state.withLock { state in
      // Content-Length counts compressed bytes.
      let isCoded = reply.fields.first("Content-Encoding") != nil
      state.total = isCoded ? nil : reply.fields.first("Content-Length").flatMap { Int($0) }
      state.begin = .now
      state.next = state.begin + Self.patience
    }
  }

  /// Counts bytes that have arrived.
  func add(_ count: Int) {
    let text: String? = state.withLock { state in
      state.count += count
      let now = ContinuousClock.now
      guard now >= state.next else { return nil }
      state.next = now + Self.interval
      return Self.text(state.count, of: state.total, after: now - state.begin)
    }
    guard let text else { return }
    Task { @MainActor in progress.show(text) }
  }

  /// The line of a moment.
  ///
  /// - Parameters:
  ///   - count: How many bytes have arrived.
  ///   - total: How many there are; `nil` where the server does not say.
  ///   - time: How long it took.
  /// - Returns: One line that fits a terminal of 80 columns.
  static func text(_ count: Int, of total: Int?, after time: Duration) -> String {
    let seconds = max(0.001, time / .seconds(1))
    let rate = "\(ByteCount.text(Int(min(Double(count) / seconds, 1e18))))/s"
    guard let total, total > 0 else { return "\(ByteCount.text(count)), \(rate)" }
    let share = min(1, Double(count) / Double(total))
    let bar = Bar.text(share, width: barWidth)
    let blank = String(repeating: " ", count: barWidth - bar.count)
    return "\(bar)\(blank) \(Int(share * 100)) % of \(ByteCount.text(total)), \(rate)"
  }

  private static let barWidth = 30
}
