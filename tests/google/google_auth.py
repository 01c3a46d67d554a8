"""Gets an access token with Google's own library and prints it.

usage: google_auth.py key FILE           a service account's
       google_auth.py workload FILE      of the type external_account; google-auth 1.27 or later
       google_auth.py user FILE URL      a user's, with URL for Google's token endpoint
       google_auth.py metadata           the machine's; GCE_METADATA_ROOT names the server
"""
import sys

import google.auth
import google.auth.compute_engine
import google.auth.transport.requests
import google.oauth2.credentials
import google.oauth2.service_account

SCOPES = ["https://www.googleapis.com/auth/cloud-platform"]


def keys_credentials_in(path):
    return google.oauth2.service_account.Credentials.from_service_account_file(path, scopes=SCOPES)


def workloads_credentials_in(path):
    from google.auth import identity_pool

    return identity_pool.Credentials.from_file(path, scopes=SCOPES)


def users_credentials_in(path, token_url):
    credentials = google.oauth2.credentials.Credentials.from_authorized_user_file(path)
    credentials._token_uri = token_url  # the library has a constant for it
    return credentials


kind, arguments = sys.argv[1], sys.argv[2:]
credentials = {
    "key": keys_credentials_in,
    "workload": workloads_credentials_in,
    "user": users_credentials_in,
    "metadata": google.auth.compute_engine.Credentials,
}[kind](*arguments)
credentials.refresh(google.auth.transport.requests.Request())
token = credentials.token
print(token.decode() if isinstance(token, bytes) else token)
