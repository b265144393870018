/// Starts work that its caller need not wait for, in the caller's isolation.
///
/// A `Task` that is made in a class does not run in the isolation of the actor that owns the class;
/// this one does.
///
/// - Parameters:
///   - isolation: The actor whose objects the work uses: the caller's.
///   - work: The work.
/// - Returns: The task; cancelling the caller does not cancel it.
func startTask<Value: Sendable>(
  isolation: isolated (any Actor)? = #isolation, _ work: @escaping () async -> Value
) -> Task<Value, Never> {
  precondition(isolation != nil, "Work on what an actor owns was started outside of the actor.")
  return Task {
    _ = isolation
    return await work()
  }
}

/// Does work to its end, also where its caller was cancelled: what a server has granted, or how a
/// login ended, must not get lost by that.
///
/// - Parameters:
///   - isolation: The actor whose objects the work uses: the caller's.
///   - work: The work.
/// - Returns: Its result.
/// - Throws: What it throws.
func uncancelled<Value: Sendable, Failure: Error>(
  isolation: isolated (any Actor)? = #isolation,
  _ work: @escaping () async throws(Failure) -> Value
) async throws(Failure) -> Value {
  try await startTask { await Result(of: work) }.value.get()
}

extension Result {
  /// What becomes of work.
  init(of work: () async throws(Failure) -> Success) async {
    do throws(Failure) {
      self = .success(try await work())
    } catch {
      self = .failure(error)
    }
  }
}
