public import Gatebook
internal import GatebookSystem

extension LoopbackServer {
  /// Lets something go wrong with coming requests, after the faults that are still to come.
  ///
  /// A request meets only the first fault that fits its path and has not run out, so faults put on
  /// the same path happen one after the other.
  ///
  /// - Parameters:
  ///   - fault: What goes wrong.
  ///   - path: The path, without a query; one that ends in `/*` stands for all below it, `nil` for
  ///     all there are.
  ///   - times: How often; `nil` for always.
  public func inject(_ fault: LoopbackFault, on path: String? = nil, times: Int? = 1) {
    work.state.withLock { $0.faults.append(fault, on: path, times: times) }
  }

  /// Takes all faults back.
  public func clearFaults() {
    work.state.withLock { $0.faults = FaultSchedule() }
  }

  /// Makes a server that gives these answers in order, whatever is asked; then 500.
  ///
  /// - Parameter replies: The answers.
  /// - Throws: `configuration.invalid` when no port is free.
  public convenience init(replies: [LoopbackReply]) throws(GatebookError) {
    let rest = Guarded(replies[...])
    try self.init { _ in
      rest.withLock { $0.popFirst() } ?? .text("The script has no more answers.\n", status: 500)
    }
  }
}
