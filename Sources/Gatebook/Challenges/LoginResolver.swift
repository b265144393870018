internal import GatebookSystem

/// The resolver that one login brings with it: it decides about the challenges of that login alone,
/// before those that the book knows.
package enum LoginResolver {
  /// A resolver, as long as its login is under way: tasks that the login has begun may outlive it.
  final class Guest: Sendable {
    private let entry: Locked<ResolverRegistry.Entry?>

    init(_ entry: ResolverRegistry.Entry) {
      self.entry = Locked(entry)
    }

    /// The resolver; `nil` after its login.
    var resolver: ResolverRegistry.Entry? { entry.withLock { $0 } }

    /// The login has ended.
    func leave() { entry.withLock { $0 = nil } }
  }

  @TaskLocal private static var guest: Guest?

  /// The resolver of the login that this task makes; `nil` for none.
  static var current: ResolverRegistry.Entry? { guest?.resolver }

  /// Makes a login whose challenges go to a resolver.
  ///
  /// - Parameters:
  ///   - resolver: Decides.
  ///   - limit: How long a decision may take.
  ///   - body: Makes the login.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  package static func asking<Value: Sendable>(
    _ resolver: any ChallengeResolver, within limit: Duration,
    _ body: () async throws(GatebookError) -> Value
  ) async throws(GatebookError) -> Value {
    let guest = Guest(ResolverRegistry.Entry(resolver: resolver, limit: limit))
    defer { guest.leave() }
    let result = await $guest.withValue(guest) { () async -> Result<Value, GatebookError> in
      do throws(GatebookError) {
        return .success(try await body())
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
