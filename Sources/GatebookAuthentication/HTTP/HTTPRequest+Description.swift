extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Method and URL without its query: fields and body may carry secrets.
  public var description: String { "\(method) \(url.withoutQuery)" }

  /// The same as `description`.
  public var debugDescription: String { description }

  /// Shows no parts.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension HTTPReply: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The status and the size of the body: fields and body may carry secrets.
  public var description: String { "\(status), \(body.count) bytes" }

  /// The same as `description`.
  public var debugDescription: String { description }

  /// Shows no parts.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
