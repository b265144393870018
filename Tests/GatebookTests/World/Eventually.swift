import Gatebook

/// Waits until something is so, for what nobody tells.
///
/// - Parameters:
///   - limit: A generous limit; only a failure takes that long.
///   - condition: What is waited for.
/// - Returns: Whether it came to be so.
/// - Throws: What the condition throws.
func eventually(
  within limit: Duration = .seconds(60), _ condition: () async throws -> Bool
) async throws -> Bool {
  let clock = SystemClock()
  let deadline = clock.now().boot + limit
  while clock.now().boot < deadline {
    if try await condition() { return true }
    try await Task.sleep(for: .milliseconds(5))
  }
  return false
}
