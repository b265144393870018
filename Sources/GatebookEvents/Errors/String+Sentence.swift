extension String {
  /// The second half of a sentence as a sentence of its own.
  package var asSentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
