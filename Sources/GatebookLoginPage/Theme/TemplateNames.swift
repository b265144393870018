/// The names that a template may show, and those that it must.
enum TemplateNames {
  /// Those of texts without which a screen would lack something.
  static let texts = [
    "alert", "code", "describedBy", "dir", "error", "errorID", "heading", "id", "label", "lang",
    "name", "notice", "screen", "title", "value",
  ]
  /// Those of lists.
  static let lists = ["accounts", "buttons", "facts", "fields"]

  /// All that a template may show, on the page and in its lists.
  static let all: Set<String> = Set(texts).union(lists).union([
    "action", "autocomplete", "codeHint", "codeLabel", "detail", "hasAccounts", "hasForm", "hint",
    "hintID", "initial", "inputMode", "intro", "isChecked", "isDone", "isEnded", "isFocused",
    "isInvalid", "isPlain", "isPrimary", "isQuestion", "isQuiet", "isRequired", "isSwitch",
    "isWorking", "note", "place", "server", "state", "stateKind", "type",
  ])
}
