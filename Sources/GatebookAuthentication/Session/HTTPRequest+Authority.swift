internal import GatebookEvents

extension HTTPRequest {
  /// The request with this field and no other of its name: what an app had set is dropped.
  func replacing(_ field: HTTPField) -> HTTPRequest {
    var request = self
    request.fields.removeAll { $0.name.equalsIgnoringCase(field.name) }
    request.fields.append(field)
    return request
  }

  /// The request with the jar's cookies, and no others: cookies of two sessions never mix.
  func carrying(_ jar: CookieJar, at moment: Moment) -> HTTPRequest {
    guard let cookies = jar.header(for: url, at: moment.wall) else { return self }
    return replacing(HTTPField("Cookie", cookies))
  }
}
