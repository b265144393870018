internal import Gatebook

/// The login form of a web page: the first form with one password field.
struct PageForm: Hashable, Sendable {
  /// Where the form is posted.
  let url: HTTPURL
  /// The field for the user's name.
  let userField: String
  /// The field for the password.
  let passwordField: String
  /// Whether the page gives the form values of its own, such as a token against forged requests.
  let hasOwnValues: Bool

  /// Finds the form; `nil` where the page has none that is posted with a name and a password.
  ///
  /// - Parameters:
  ///   - page: The page's text.
  ///   - url: The page's address.
  init?(in page: String, at url: HTTPURL) {
    var form: (action: HTTPURL, user: String?, password: String?, hasOwnValues: Bool)?
    for tag in HTMLTag.all(in: page) {
      switch tag.name {
      case "form":
        let action = url.resolve(tag.attributes["action"] ?? "") ?? url
        let isPosted = tag.attributes["method"]?.lowercased() == "post"
        form = isPosted ? (action, nil, nil, false) : nil
      case "input":
        guard let name = tag.attributes["name"], !name.isEmpty, form != nil else { continue }
        switch tag.attributes["type"]?.lowercased() ?? "text" {
        case "text", "email", "tel":
          if form?.password == nil { form?.user = name }
        case "password":
          if form?.password == nil { form?.password = name }
        case "hidden": form?.hasOwnValues = true
        default: continue
        }
      case "/form":
        if form?.password != nil, form?.user != nil {
          self.init(form)
          return
        }
        form = nil
      default: continue
      }
    }
    self.init(form)
  }

  private init?(
    _ form: (action: HTTPURL, user: String?, password: String?, hasOwnValues: Bool)?
  ) {
    guard let form, let user = form.user, let password = form.password else { return nil }
    url = form.action
    userField = user
    passwordField = password
    hasOwnValues = form.hasOwnValues
  }
}
