extension String {
  /// Whether both are the same bytes: `==` takes texts for equal that Unicode writes in two ways.
  ///
  /// RFC 7519 section 2, "StringOrURI": "compared as case-sensitive strings with no
  /// transformations or canonicalizations applied."
  func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
