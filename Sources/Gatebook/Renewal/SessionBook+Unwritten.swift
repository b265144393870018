/// What a server has granted for something that is good for one use, and the book could not take yet, as on
/// a full disk (rule 5).
extension SessionBook {
  /// Whether what a server has granted is in memory alone: a program that ends now loses it, and may
  /// lose the session by that.
  ///
  /// The book tries each second to write it, also after ``close()``.
  public var hasUnwrittenGrants: Bool { !unsaved.isEmpty || !unsavedLogins.isEmpty }

  /// Waits until everything that servers have granted is on disk; for programs that are about to end.
  ///
  /// It takes as long as the book cannot be written. A caller that is cancelled waits on: it decides
  /// itself what that would cost.
  public func waitUntilWritten() async {
    await Task {
      while hasUnwrittenGrants { try? await Task.sleep(for: .milliseconds(50)) }
    }.value
  }
}
