internal import GatebookEvents

extension Output {
  /// One account, as an object or one fact a line.
  ///
  /// - Parameters:
  ///   - context: The account.
  ///   - isFull: Whether the user's attributes belong to it.
  func account(_ context: SessionContext, isFull: Bool) {
    let rendering = AccountRendering(context)
    if isJSON {
      json(rendering.json(isFull: isFull))
    } else {
      for line in rendering.lines(self, isFull: isFull) { self.line(line) }
    }
  }
}
