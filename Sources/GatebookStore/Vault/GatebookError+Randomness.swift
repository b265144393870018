package import GatebookEvents

extension GatebookError {
  /// That an id or a key cannot be made; no book is damaged by that.
  package static var noRandomness: GatebookError {
    GatebookError(
      .configurationInvalid, "The random source gave too few bytes.",
      remedy: "Give a random source that brings as many bytes as asked.")
  }
}
