package import GatebookEvents

extension GatebookError {
  /// That an id or a key cannot be made; no book is damaged by that.
  package static var noRandomness: GatebookError {
    GatebookError(
      .configurationInvalid, "The random source returned too few bytes.",
      remedy: "Use a random source that returns as many bytes as requested.")
  }
}
